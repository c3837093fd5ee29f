import { describe, expect, it } from 'vitest'
import type { Requirement } from '../../src/inspect/inspection.ts'
import { inspectPython } from '../../src/inspect/python/inspect-python.ts'

const read = (text: string, files: readonly string[] = []): readonly Requirement[] =>
  inspectPython({ path: 'x.py', text, language: 'python', sibling: path => (files.includes(path) ? '' : undefined) })
    .requirements

describe('requirements of Python scripts', () => {
  it('are third-party imports, with the name to install where it differs', () => {
    expect(read('import json, os.path\nimport numpy as np\nfrom PIL import Image\nfrom google import genai\n')).toEqual(
      [
        { kind: 'module', name: 'numpy', line: 2 },
        { kind: 'module', name: 'PIL', install: 'pillow', line: 3 },
        { kind: 'module', name: 'google.genai', install: 'google-genai', line: 4 },
      ],
    )
  })

  it('do not include files of the skill', () => {
    const text = 'import helpers\nfrom lib.tools import x\nfrom . import y\nfrom office import pack\n'
    expect(read(text, ['helpers.py', 'lib/tools.py', 'office/pack.py'])).toEqual([])
  })

  it('do not include what the script can go without', () => {
    const optional = 'try:\n    import rich\nexcept ImportError:\n    rich = None\n'
    const needed = 'try:\n    import yaml\nexcept ImportError:\n    print("pip install pyyaml")\n    sys.exit(1)\n'
    const types = 'if TYPE_CHECKING:\n    import pandas\n'
    expect(read(`import sys\n${optional}${needed}${types}`)).toEqual([
      { kind: 'module', name: 'yaml', install: 'pyyaml', line: 7 },
    ])
  })

  it('are found inside of functions', () => {
    expect(read('def main():\n    import requests\n\nmain()\n')).toEqual([
      { kind: 'module', name: 'requests', line: 2 },
    ])
  })

  it('come from the metadata block first', () => {
    const text = `#!/usr/bin/env -S uv run
# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "httpx>=0.27",
#   'beautifulsoup4',  # parsing
#   "uvloop[dev]~=1.0; sys_platform != 'win32'",
# ]
# ///
import httpx
from bs4 import BeautifulSoup
`
    expect(read(text)).toEqual([
      { kind: 'module', name: 'httpx', install: 'httpx>=0.27', line: 10 },
      { kind: 'module', name: 'bs4', install: 'beautifulsoup4', line: 11 },
      { kind: 'module', name: 'uvloop', install: "uvloop[dev]~=1.0; sys_platform != 'win32'", line: 7 },
    ])
  })
})
