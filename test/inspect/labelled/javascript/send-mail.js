const nodemailer = require('nodemailer')

function getArg(name, fallback) {
  const index = process.argv.indexOf(`--${name}`)
  return index > -1 && process.argv[index + 1] ? process.argv[index + 1] : fallback
}

const to = getArg('to')
const subject = getArg('subject', 'No subject')
const port = Number(getArg('port', '587'))
const html = process.argv.includes('--html')

if (!to) {
  console.error('Missing --to')
  process.exit(1)
}
nodemailer.createTransport({ port }).sendMail({ to, subject, [html ? 'html' : 'text']: 'Hello' })
