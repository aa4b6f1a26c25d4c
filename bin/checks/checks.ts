import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../local/root.ts'
import type { Step } from './run-steps.ts'

/** Returns the steps that synthesize the stack: with the settings of cdk.json, and with those of each example. */
export function synthSteps(): readonly Step[] {
  const examples = globSync('examples/settings*.json', { cwd: root }).sort()
  return [synthStep('cdk.json', []), ...examples.map((file) => synthStep(file, contextOf(file)))]
}

function contextOf(file: string): readonly string[] {
  const { context } = JSON.parse(readFileSync(join(root, file), 'utf8'))
  const output = join('cdk.out', basename(file, '.json'))
  return ['--output', output, '--context', `showrunner=${JSON.stringify(context.showrunner)}`]
}

const synthStep = (settings: string, args: readonly string[]): Step => ({
  title: `synth ${settings}`,
  program: 'cdk',
  args: ['synth', '--quiet', ...args],
})

/** Returns the checks of a commit: format, types, laws and stack. */
export const checkSteps = (): readonly Step[] => [
  { title: 'format and lint', program: 'biome', args: ['check', '.'] },
  ...['.', 'web'].map((project) => ({
    title: `types of ${project}`,
    program: 'tsc',
    args: ['-p', project],
  })),
  { title: 'laws and stack', program: 'vitest', args: ['run', '--project', 'rules'] },
  ...synthSteps(),
]
