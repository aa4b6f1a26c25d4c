import { spawn } from 'node:child_process'
import { join, relative } from 'node:path'
import { root } from '../../local/root.ts'
import { outputsFileOf, stackOf } from '../outputs.ts'

/** Arguments of the CDK. They are those that were checked. */
export interface Deployment {
  readonly stage: string
  /** Settings with the stage, passed as the context `showrunner`. */
  readonly context: object
  readonly more: readonly string[]
}

export const argumentsOf = ({ stage, context, more }: Deployment): string[] => [
  'deploy',
  stackOf(stage),
  '--context',
  `showrunner=${JSON.stringify(context)}`,
  '--no-previous-parameters', // settings are defaults of parameters, which would otherwise keep their previous values
  '--outputs-file',
  relative(root, outputsFileOf(stage)), // relative to its working directory
  ...more,
]

/** Formats the command for a shell. */
export const toCommand = (args: readonly string[]): string =>
  ['npx', 'cdk', ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')

/**
 * Runs the CDK on this terminal, so that it can ask questions, and resolves with its exit code. When the signal aborts, it stops
 * the CDK and waits for it. CloudFormation continues what it has started.
 */
export function runCdk(args: readonly string[], signal: AbortSignal): Promise<number> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const cdk = spawn(process.execPath, [join(root, 'node_modules/aws-cdk/bin/cdk'), ...args], {
      cwd: root,
      stdio: 'inherit',
    })
    const stop = () => void cdk.kill('SIGTERM')
    signal.addEventListener('abort', stop, { once: true })
    cdk.once('error', reject)
    cdk.once('close', (code) => {
      signal.removeEventListener('abort', stop)
      resolve(code ?? 1)
    })
  })
}
