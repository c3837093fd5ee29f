const commands = {
  push: args => console.log('push', args[0], args[1]),
  pop: () => console.log('pop'),
  size: () => console.log(0),
}

const [name, ...args] = process.argv.slice(2)
const command = commands[name]
if (!command) {
  console.error(`Usage: queue.js <${Object.keys(commands).join('|')}>`)
  process.exit(1)
}
command(args)
