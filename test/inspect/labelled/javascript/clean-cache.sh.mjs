#!/usr/bin/env node
// Empties the cache; there is nothing to choose.
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

await rm(path.join(os.homedir(), '.cache', 'thing'), { recursive: true, force: true })
console.log('done')
