import { readFileSync } from 'node:fs'

const args = process.argv.slice(2)
const action = args[0]

function usage(): never {
  console.error('Usage: wallet.ts balance <account> | transfer <from> <to> <amount>')
  process.exit(1)
}

if (!action) usage()

async function balance(account: string | undefined): Promise<void> {
  if (!account) usage()
  console.log(readFileSync(`${account}.txt`, 'utf8'))
}

async function transfer(from: string | undefined, to: string | undefined, amount: number): Promise<void> {
  if (!from || !to) usage()
  console.log(from, to, amount)
}

if (action === 'balance') {
  await balance(args[1])
} else if (action === 'transfer') {
  await transfer(args[1], args[2], parseFloat(args[3]!))
} else {
  usage()
}
