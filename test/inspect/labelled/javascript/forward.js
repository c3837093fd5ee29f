const { spawn } = require('child_process')
const tool = require('./tool')

tool.run(process.argv.slice(2))
spawn('echo', ['done'])
