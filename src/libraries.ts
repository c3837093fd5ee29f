// Libraries that many calls do without, and that take longer to load than such a call runs: loaded at their first use.
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

export const ajvLibrary = () => load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
export const pythonGrammar = () => load('@lezer/python') as typeof import('@lezer/python')
export const javascriptGrammar = () => load('@lezer/javascript') as typeof import('@lezer/javascript')
export const re2Library = () => load('re2js') as typeof import('re2js')
export const yamlLibrary = () => load('yaml') as typeof import('yaml')
