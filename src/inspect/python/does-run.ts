// Whether running the file does anything, or whether it is a module for others.
import type { Expression, Statement } from './syntax.ts'

/** True when something happens at top level, or when there is a `main` to call. */
export function doesRun(statements: readonly Statement[]): boolean {
  return statements.some(isMain) || statements.some(acts)
}

function isMain(statement: Statement): boolean {
  return statement.kind === 'function' && statement.name === 'main'
}

/** True for a statement that does more than define, import or prepare. */
function acts(statement: Statement): boolean {
  switch (statement.kind) {
    case 'expression':
      return !isPreparation(statement.value)
    case 'if':
      if (statement.branches.some(branch => mentions(branch.test, '__name__'))) return true
      return [...statement.branches.map(branch => branch.body), ...list(statement.otherwise)].some(body =>
        body().some(acts),
      )
    case 'try':
      // Handlers only report what is missing; they are no reason to run the file.
      return [statement.body, ...list(statement.otherwise), ...list(statement.finally)].some(body => body().some(acts))
    case 'for':
    case 'while':
    case 'with':
      return statement.body().some(acts)
    case 'match':
      return statement.cases.some(body => body().some(acts))
    default:
      return false
  }
}

/** Docstrings, and calls that only set the stage. */
function isPreparation(value: Expression): boolean {
  if (value.kind !== 'call') return value.kind !== 'await' && value.kind !== 'other'
  return PREPARATION.test(dotted(value.callee))
}

const PREPARATION =
  /^(sys\.path\.|sys\.std\w+\.reconfigure|site\.|warnings\.|logging\.|logger\.|log\.|os\.environ\.|load_dotenv|dotenv\.|matplotlib\.use|plt\.|sns\.|pd\.set_option|np\.(seterr|set_)|random\.seed|.*\.(append|extend|insert|update|setdefault|register|add|setLevel|addHandler|filterwarnings|disable_warnings|rcParams\.update|set_\w+|use|config|configure)$)/

/** `a.b.c` of a chain of names, with calls inside it left out. */
export function dotted(expression: Expression): string {
  if (expression.kind === 'name') return expression.name
  if (expression.kind === 'attribute') return `${dotted(expression.object)}.${expression.name}`
  if (expression.kind === 'call') return dotted(expression.callee)
  return ''
}

function mentions(expression: Expression, name: string): boolean {
  if (expression.kind === 'name') return expression.name === name
  return expression.kind === 'binary' && (mentions(expression.left, name) || mentions(expression.right, name))
}

function list<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value]
}
