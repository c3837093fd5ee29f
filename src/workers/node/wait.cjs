// Holds Node just before it runs its script: loaded with --require, it waits for the call, puts arguments, environment
// and folder in place, and returns. Node itself then runs the script as it always does.
'use strict'
const { closeSync, readSync, writeSync } = require('node:fs')

const channel = Number(process.env.SKILLWRIGHT_WARM)
// Threads that the script starts load this file too; by then the variable is gone.
if (channel) wait()
process.execArgv.length = 0
delete require.cache[__filename]

function wait() {
  writeSync(channel, 'R')
  const { args, cwd, env } = JSON.parse(receive(receive(4).readUInt32BE()).toString())
  closeSync(channel)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.argv.push(...args)
}

function receive(size) {
  const data = Buffer.alloc(size)
  for (let done = 0; done < size; ) {
    const got = readSync(channel, data, done, size - done, null)
    // The host is gone, or this process is not needed any more.
    if (got === 0) process.exit()
    done += got
  }
  return data
}
