import { spawn } from 'node:child_process'
import { join, relative } from 'node:path'
import { root } from '../../local/root.ts'
import { outputsFileOf, stackOf } from '../outputs.ts'

/** Of the CDK's command line: what was checked is what it is given. */
export interface Deployment {
  readonly stage: string
  /** The context `showrunner`, with the stage. */
  readonly context: object
  /** Handed on as they are. */
  readonly more: readonly string[]
}

export const argumentsOf = ({ stage, context, more }: Deployment): string[] => [
  'deploy',
  stackOf(stage),
  '--context',
  `showrunner=${JSON.stringify(context)}`,
  '--no-previous-parameters', // settings reach the template as its parameters' defaults, which would otherwise never change
  '--outputs-file',
  relative(root, outputsFileOf(stage)), // from where it is run
  ...more,
]

/** As a shell takes it, to be read and copied. */
export const toCommand = (args: readonly string[]): string =>
  ['npx', 'cdk', ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')

/**
 * Runs the CDK at this terminal, which it may ask questions at, and resolves with its exit code. When the signal aborts it is
 * ended and waited for; what CloudFormation has begun goes on.
 */
export function runCdk(args: readonly string[], signal: AbortSignal): Promise<number> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const cdk = spawn(process.execPath, [join(root, 'node_modules/aws-cdk/bin/cdk'), ...args], {
      cwd: root,
      stdio: 'inherit',
    })
    const end = () => void cdk.kill('SIGTERM')
    signal.addEventListener('abort', end, { once: true })
    cdk.once('error', reject)
    cdk.once('close', (code) => {
      signal.removeEventListener('abort', end)
      resolve(code ?? 1)
    })
  })
}
