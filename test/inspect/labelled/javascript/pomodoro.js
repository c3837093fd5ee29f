const readline = require('readline')

const minutes = Number(process.argv[2] ?? 25)
const rl = readline.createInterface({ input: process.stdin, output: process.stdout })
rl.question('What will you work on? ', answer => {
  console.log(`${minutes} minutes of ${answer}`)
  rl.close()
})
