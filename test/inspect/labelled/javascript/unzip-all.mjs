const args = process.argv.slice(2)
const folder = args[0] || '.'
const verbose = args.includes('--verbose')
console.log(folder, verbose)
