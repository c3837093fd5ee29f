const mri = require('mri')

const { _: [name = 'timer'], seconds = 60, repeat, label } = mri(process.argv.slice(2), {
  boolean: ['repeat'],
  alias: { s: 'seconds' },
})
console.log(name, Number(seconds) * 1000, repeat ? 'again' : 'once', label && label.trim())
