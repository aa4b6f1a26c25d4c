import { readDefinition } from '../../lib/constructs/deploy/definition.ts'
import { names } from '../../lib/show/document/fields/names.ts'
import { listFiles } from './sources.ts'

/** A state as Amazon States Language writes it, as far as the laws read it. */
export interface State extends Record<string, unknown> {
  readonly Type: string
  readonly Next?: string
  readonly End?: boolean
  readonly Default?: string
  readonly Choices?: readonly { readonly Next: string }[]
  readonly Catch?: readonly { readonly ErrorEquals: readonly string[]; readonly Next: string }[]
  readonly Branches?: readonly Scope[]
  readonly ItemProcessor?: Scope
}

/** States that go on to one another: a machine's, a branch's, or those an item passes through. */
export interface Scope {
  readonly StartAt: string
  readonly States: Readonly<Record<string, State>>
}

export interface Machine {
  /** Its file under `statemachines/`, without the ending. */
  readonly name: string
  /** As the stack would deploy it: timeouts and retries added, every substitution filled in. */
  readonly deployed: Scope & Record<string, unknown>
  /** Before the substitutions. */
  readonly definition: Scope & Record<string, unknown>
}

/** Every machine of the project. */
export function readMachines(): Machine[] {
  const files = listFiles('statemachines').filter((path) => path.endsWith('.asl.json'))
  return files.map((path) => {
    const name = path.replace(/^.*\/|\.asl\.json$/g, '')
    const { text, tasks } = readDefinition(name)
    return { name, definition: JSON.parse(text), deployed: JSON.parse(substitute(text, tasks)) }
  })
}

/** What CloudFormation would fill in: published versions of functions, and machines. What is unknown stays as it is. */
function substitute(text: string, tasks: readonly string[]): string {
  const functions = new Set(tasks.map(names.substitution))
  return text.replace(/\$\{(\w+)\}/g, (placeholder, name: string) => {
    if (functions.has(name)) return `arn:aws:lambda:eu-central-1:123456789012:function:showrunner-${name}:1`
    const machine = /^(\w+)Machine$/.exec(name)?.[1]
    return machine ? `arn:aws:states:eu-central-1:123456789012:stateMachine:${machine.toLowerCase()}` : placeholder
  })
}

/** The scopes inside a state. */
export const innerScopes = ({ Branches = [], ItemProcessor }: State): Scope[] => [
  ...Branches,
  ...(ItemProcessor ? [ItemProcessor] : []),
]

/** A scope and every scope inside it, the outermost first. */
export const scopesOf = (scope: Scope): Scope[] => [
  scope,
  ...Object.values(scope.States).flatMap(innerScopes).flatMap(scopesOf),
]

/** Every state of a scope, and of the scopes inside it. */
export const statesOf = (scope: Scope): { title: string; state: State }[] =>
  scopesOf(scope).flatMap(({ States }) => Object.entries(States).map(([title, state]) => ({ title, state })))

/** Where a state can go on to within its scope. */
export const successorsOf = ({ Next, Default, Choices = [], Catch = [] }: State): string[] =>
  [Next, Default, ...Choices.map((choice) => choice.Next), ...Catch.map((one) => one.Next)].filter(
    (next) => next !== undefined,
  )

export const isTerminal = ({ Type, End }: State) => End === true || Type === 'Succeed' || Type === 'Fail'
