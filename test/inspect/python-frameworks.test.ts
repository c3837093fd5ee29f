import { describe, expect, it } from 'vitest'
import type { InspectedCommand, Inspection } from '../../src/inspect/inspection.ts'
import { inspectPython } from '../../src/inspect/python/inspect-python.ts'

const read = (text: string, files: Record<string, string> = {}): Inspection =>
  inspectPython({ path: 'x.py', text, language: 'python', sibling: path => files[path] })

const commandOf = ({ commands }: Inspection, ...words: string[]): InspectedCommand => {
  const found = commands.find(({ convention }) => convention.command.join(' ') === words.join(' '))
  if (!found) throw new Error(`no command ${words.join(' ')}`)
  return found
}

const parameter = (command: InspectedCommand, name: string) => {
  const found = command.convention.parameters.find(one => one.name === name)
  if (!found) throw new Error(`no parameter ${name}`)
  return found
}

describe('click', () => {
  const script = `
import functools
import click

SIZES = {"small": 1, "large": 2}

def common(f):
    f = click.option("--verbose", "-v", count=True, help="More output")(f)
    return click.option("--profile", envvar="APP_PROFILE", default="dev")(f)

def timed(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper

@click.group()
@click.version_option("1.0")
@click.option("--debug/--no-debug", default=False)
@click.pass_context
def cli(ctx, debug):
    """The tool."""

@cli.command()
@click.argument("source", type=click.Path())
@click.argument("targets", nargs=-1, required=True)
@click.option("-s", "--size", type=click.Choice(list(SIZES)), default="small", help="How big")
@click.option("--level", type=click.IntRange(1, 9), default=5)
@click.option("--pair", nargs=2, type=float)
@click.option("--tag", "-t", "tags", multiple=True)
@click.option("--shout", is_flag=True)
@click.option("--upper", "mode", flag_value="upper", default=True)
@click.option("--lower", "mode", flag_value="lower")
@click.option("--ok", type=bool, default=True)
@click.option("-n", type=int)
@click.option("--guess", default=1.5)
@timed
def convert_all(**kwargs):
    """Convert SOURCE.

    More text.
    """

@cli.command("serve")
@common
def run_server(**kwargs):
    """Run it."""

@cli.group()
def db():
    """Database commands."""

@db.command(name="migrate")
@click.option("--steps", required=True, type=int)
def migrate_db(steps):
    pass

@click.command()
@click.password_option()
@click.argument("user", default="root")
def login(user, password):
    pass

cli.add_command(login, "signin")

if __name__ == "__main__":
    cli(obj={})
`
  const inspection = read(script)

  it('reads a group with all its commands', () => {
    expect(inspection.confidence).toBe('exact')
    expect(inspection.commands.map(({ convention }) => convention.command.join(' '))).toEqual([
      'convert-all',
      'serve',
      'db migrate',
      'signin',
    ])
    expect(commandOf(inspection, 'convert-all').description).toBe('Convert SOURCE.')
  })

  it('types options and arguments', () => {
    const convert = commandOf(inspection, 'convert-all')
    expect(convert.convention.dashes).toBe('terminator')
    expect(parameter(convert, 'source')).toMatchObject({ required: true, level: 1, pass: { as: 'positional' } })
    expect(parameter(convert, 'targets').schema).toEqual({ type: 'array', items: { type: 'string' }, minItems: 1 })
    expect(parameter(convert, 'size')).toMatchObject({
      required: false,
      schema: { type: 'string', enum: ['small', 'large'], default: 'small', description: 'How big' },
      pass: { as: 'option', flags: ['--size', '-s'], join: 'equals' },
    })
    expect(parameter(convert, 'level').schema).toEqual({ type: 'integer', minimum: 1, maximum: 9, default: 5 })
    expect(parameter(convert, 'pair')).toMatchObject({
      schema: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
      pass: { list: 'spread' },
    })
    expect(parameter(convert, 'tags')).toMatchObject({
      schema: { type: 'array', items: { type: 'string' } },
      pass: { flags: ['--tag', '-t'], list: 'repeat' },
    })
    expect(parameter(convert, 'shout').pass).toEqual({ as: 'switch', flags: ['--shout'], when: true })
    expect(parameter(convert, 'ok').pass).toMatchObject({ words: ['true', 'false'] })
    expect(parameter(convert, 'n').pass).toEqual({ as: 'option', flags: ['-n'], join: 'separate' })
    expect(parameter(convert, 'guess').schema).toEqual({ type: 'number', default: 1.5 })
  })

  it('tells flags that share a destination apart', () => {
    const convert = commandOf(inspection, 'convert-all')
    expect(parameter(convert, 'upper').pass).toMatchObject({ as: 'switch', flags: ['--upper'] })
    expect(parameter(convert, 'lower').pass).toMatchObject({ as: 'switch', flags: ['--lower'] })
  })

  it('puts the options of the group before the command word', () => {
    expect(parameter(commandOf(inspection, 'db', 'migrate'), 'debug')).toMatchObject({
      level: 0,
      pass: { as: 'switch', flags: ['--debug', '--no-debug'], opposite: '--no-debug' },
    })
    expect(parameter(commandOf(inspection, 'db', 'migrate'), 'steps')).toMatchObject({ level: 2, required: true })
  })

  it('follows decorators that add options', () => {
    const serve = commandOf(inspection, 'serve')
    expect(serve.convention.parameters.map(({ name }) => name)).toEqual(['debug', 'profile', 'verbose'])
    expect(parameter(serve, 'verbose').pass).toEqual({ as: 'count', flags: ['--verbose', '-v'] })
    expect(parameter(serve, 'profile').schema['description']).toContain('APP_PROFILE')
  })

  it('requires what the script would ask for', () => {
    expect(parameter(commandOf(inspection, 'signin'), 'password').required).toBe(true)
    expect(parameter(commandOf(inspection, 'signin'), 'user')).toMatchObject({
      required: false,
      schema: { default: 'root' },
    })
  })

  it('is partial where the answer depends on the version or on other libraries', () => {
    const suffix = read('import click\n@click.group()\ndef cli(): pass\n@cli.command()\ndef init_cmd(): pass\ncli()\n')
    expect(suffix.confidence).toBe('partial')
    const stranger = read(
      'import click\nfrom extra import more_options\n@click.command()\n@more_options\ndef cli(): pass\ncli()\n',
    )
    expect(stranger.confidence).toBe('partial')
    expect(stranger.commands[0]?.convention.open).toBe(true)
  })

  it('is partial for an option that can stand without its value', () => {
    const option = '@click.option("--name", is_flag=False, flag_value="auto", default="none")'
    const inspection = read(`import click\n@click.command()\n${option}\ndef cli(name): pass\ncli()\n`)
    expect(inspection.confidence).toBe('partial')
    expect(parameter(commandOf(inspection), 'name').pass).toMatchObject({ as: 'option', bare: true })
  })

  it('reads nothing from a module that never calls its command', () => {
    expect(read('import click\n@click.command()\ndef cli(): pass\n').confidence).toBe('none')
  })
})

describe('typer', () => {
  const inspection = read(`
from __future__ import annotations
import enum
from pathlib import Path
from typing import Annotated, List, Literal, Optional, Tuple
import typer

class Color(str, enum.Enum):
    red = "red-ish"
    blue = "blue"

app = typer.Typer(help="Main app")
users = typer.Typer()
app.add_typer(users, name="users")
Out = Annotated[Optional[Path], typer.Option("--out", "-o", help="Output file")]

@app.callback()
def main(ctx: typer.Context, verbose: bool = typer.Option(False, "--verbose", "-v", help="Talk")):
    """Callback."""

@app.command()
def build_it(
    src: Path,
    names: List[str],
    color: Color = Color.red,
    level: Annotated[int, typer.Option(min=1, max=5)] = 3,
    cache: bool = True,
    maybe: Optional[bool] = None,
    tags: Optional[List[str]] = typer.Option(None, "--tag"),
    point: Tuple[int, int] = (1, 2),
    out: Out = None,
    must: str = typer.Option(...),
    mode: Literal["fast", "slow"] = "fast",
):
    """Build it all."""

@users.command("add")
def add_user(name: str = typer.Argument(..., help="The name"), times: int = typer.Argument(2)):
    """Add a user."""

if __name__ == "__main__":
    app()
`)

  it('derives parameters from annotations', () => {
    const build = commandOf(inspection, 'build-it')
    expect(inspection.confidence).toBe('exact')
    expect(parameter(build, 'src')).toMatchObject({
      required: true,
      schema: { type: 'string' },
      pass: { as: 'positional' },
    })
    expect(parameter(build, 'names').schema).toMatchObject({ type: 'array', minItems: 1 })
    expect(parameter(build, 'color').schema).toEqual({ type: 'string', enum: ['red-ish', 'blue'], default: 'red-ish' })
    expect(parameter(build, 'level').schema).toEqual({ type: 'integer', minimum: 1, maximum: 5, default: 3 })
    expect(parameter(build, 'cache')).toMatchObject({
      schema: { type: 'boolean', default: true },
      pass: { as: 'switch', flags: ['--cache', '--no-cache'], opposite: '--no-cache' },
    })
    expect(parameter(build, 'maybe').schema).toEqual({ type: 'boolean' })
    expect(parameter(build, 'tags').pass).toMatchObject({ flags: ['--tag'], list: 'repeat' })
    expect(parameter(build, 'point').schema).toMatchObject({ items: { type: 'integer' }, maxItems: 2, default: [1, 2] })
    expect(parameter(build, 'out')).toMatchObject({
      schema: { description: 'Output file' },
      pass: { flags: ['--out', '-o'] },
    })
    expect(parameter(build, 'must').required).toBe(true)
    expect(parameter(build, 'mode').schema).toMatchObject({ enum: ['fast', 'slow'] })
  })

  it('reads nested apps and the callback of the outer one', () => {
    const add = commandOf(inspection, 'users', 'add')
    expect(parameter(add, 'name')).toMatchObject({ level: 2, required: true, schema: { description: 'The name' } })
    expect(parameter(add, 'times')).toMatchObject({ required: false, schema: { type: 'integer', default: 2 } })
    expect(parameter(add, 'verbose')).toMatchObject({ level: 0, pass: { as: 'switch', flags: ['--verbose', '-v'] } })
  })

  it('reads `typer.run` and the descriptions of a docstring', () => {
    const run = read(`
import typer

def main(name: str, formal: bool = False):
    """Greet.

    Args:
        name: Who to greet.
    """

typer.run(main)
`)
    const command = commandOf(run)
    expect(run.confidence).toBe('exact')
    expect(parameter(command, 'name')).toMatchObject({ required: true, schema: { description: 'Who to greet.' } })
    expect(parameter(command, 'formal').pass).toMatchObject({ flags: ['--formal', '--no-formal'] })
  })
})

describe('fire', () => {
  it('offers the methods of a class with the flags of its constructor', () => {
    const inspection = read(`
import fire

class Calc:
    def __init__(self, offset: int = 1):
        self.offset = offset
    def add(self, x: int, y: float = 0.5):
        """Adds."""
    def _private(self): pass

if __name__ == "__main__":
    fire.Fire(Calc)
`)
    const add = commandOf(inspection, 'add')
    expect(inspection.confidence).toBe('exact')
    expect(inspection.commands).toHaveLength(1)
    expect(parameter(add, 'offset')).toMatchObject({ level: 0, schema: { default: 1 } })
    expect(parameter(add, 'x')).toMatchObject({
      level: 1,
      required: true,
      pass: { as: 'option', flags: ['--x'], join: 'equals' },
    })
  })

  it('offers a dict of functions, and everything when nothing is named', () => {
    const named = read(
      'import fire\ndef a(n: int): pass\ndef b(on: bool = True): pass\nfire.Fire({"a": a, "bee": b})\n',
    )
    expect(named.commands.map(({ convention }) => convention.command)).toEqual([['a'], ['bee']])
    expect(parameter(commandOf(named, 'bee'), 'on').pass).toMatchObject({ words: ['True', 'False'] })
    const all = read('import fire\ndef run(n: int = 3): pass\ndef _hidden(): pass\nfire.Fire()\n')
    expect(all.commands.map(({ convention }) => convention.command)).toEqual([['run']])
  })

  it('is partial for texts, because fire reads them as Python', () => {
    const inspection = read('import fire\ndef greet(name): pass\nfire.Fire(greet)\n')
    expect(inspection.confidence).toBe('partial')
    expect(commandOf(inspection).convention.open).toBe(true)
  })
})

describe('a main that nothing calls', () => {
  it('is offered with its annotations and its Args section', () => {
    const inspection = read(`
"""Resize pictures."""
from pathlib import Path

def main(source: Path, width: int = 3, *, tags: list[str] = None):
    """Resize one.

    Args:
        source: The picture.
        width (int): How wide,
            in pixels.
    """
    return {}
`)
    expect(inspection).toMatchObject({ confidence: 'exact', commands: [], runs: true })
    expect(inspection.callable).toEqual({
      convention: {
        type: 'python-function',
        function: 'main',
        parameters: [
          { name: 'source', schema: { type: 'string', description: 'The picture.' }, required: true, line: 5 },
          {
            name: 'width',
            schema: { type: 'integer', default: 3, description: 'How wide, in pixels.' },
            required: false,
            line: 5,
          },
          { name: 'tags', schema: { type: 'array', items: { type: 'string' } }, required: false, line: 5 },
        ],
      },
      description: 'Resize one.',
      line: 5,
    })
  })

  it('is left alone when the script calls it', () => {
    const called = read('def main(n=3):\n    print(n)\n\nif __name__ == "__main__":\n    main()\n')
    expect(called.callable).toBeUndefined()
    expect(called.commands).toMatchObject([{ convention: { parameters: [] } }])
  })
})
