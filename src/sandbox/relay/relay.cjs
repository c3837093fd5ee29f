// Runs inside the sandbox, where there is no network: listens on its loopback, carries every connection to the socket of
// the proxy, and runs the program as its child. `node relay.cjs <socket> <preload> <undici> <command> [argument…]`
'use strict'
const { spawn } = require('node:child_process')
const { connect, createServer } = require('node:net')

const [socket, preload, undici, command, ...args] = process.argv.slice(2)
const PASSED_ON = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']

const server = createServer(client => {
  const proxy = connect(socket)
  client.on('error', () => proxy.destroy())
  proxy.on('error', () => client.destroy())
  client.on('close', () => proxy.destroy())
  proxy.on('close', () => client.destroy())
  client.pipe(proxy).pipe(client)
})
server.on('error', fail)
server.listen(0, '127.0.0.1', () => {
  const child = spawn(command, args, { stdio: 'inherit', env: environment(server.address().port) })
  const passOn = signal => child.kill(signal)
  for (const signal of PASSED_ON) process.on(signal, passOn)
  child.on('error', fail)
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const one of PASSED_ON) process.off(one, passOn)
    process.kill(process.pid, signal)
    // Some signals do not end a process of Node's at once, or at all.
    setTimeout(() => process.exit(128 + require('node:os').constants.signals[signal]), 100)
  })
})

function environment(port) {
  const url = `http://127.0.0.1:${port}`
  const { NODE_OPTIONS = '', ...own } = process.env
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
  return {
    ...own,
    ...Object.fromEntries([...names, ...names.map(name => name.toLowerCase())].map(name => [name, url])),
    NO_PROXY: '',
    no_proxy: '',
    NODE_USE_ENV_PROXY: '1',
    NODE_OPTIONS: `${NODE_OPTIONS} --require ${JSON.stringify(preload)}`.trim(),
    SKILLWRIGHT_UNDICI: undici,
  }
}

function fail(error) {
  process.stderr.write(`${command} could not be started: ${error.code ?? error.message}\n`)
  process.exit(error.code === 'ENOENT' ? 127 : 126)
}
