// Loaded before scripts of Node: versions that do not know NODE_USE_ENV_PROXY get a `fetch` that goes through the proxy.
'use strict'
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const knowsProxies = major >= 24 || (major === 22 && minor >= 21)
const own = globalThis.fetch

if (!knowsProxies && own && process.env.SKILLWRIGHT_UNDICI) {
  let isSet = false
  // At the first request: scripts that make none need not wait for the library.
  globalThis.fetch = function fetch(...args) {
    if (!isSet) {
      isSet = true
      const { EnvHttpProxyAgent, setGlobalDispatcher } = require(process.env.SKILLWRIGHT_UNDICI)
      setGlobalDispatcher(new EnvHttpProxyAgent())
    }
    return own(...args)
  }
}
