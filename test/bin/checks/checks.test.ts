import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkSteps, synthSteps } from '../../../bin/checks/checks.ts'
import { root } from '../../../bin/local/root.ts'

describe('synthSteps', () => {
  it('synthesizes cdk.json and the settings of every example, each into a separate folder', () => {
    const examples = globSync('examples/settings*.json', { cwd: root }).sort()
    expect(examples.length).toBeGreaterThan(1)
    expect(synthSteps().map(({ title }) => title)).toEqual(['cdk.json', ...examples].map((file) => `synth ${file}`))
    const outputs = synthSteps().map(({ args }) => args[args.indexOf('--output') + 1])
    expect(new Set(outputs).size).toBe(examples.length + 1)
  })

  it('passes the settings as the context that the app reads', () => {
    const { context } = JSON.parse(readFileSync(join(root, 'examples/settings.json'), 'utf8'))
    const { args } = synthSteps().find(({ title }) => title === 'synth examples/settings.json') ?? { args: [] }
    expect(args.at(-1)).toBe(`showrunner=${JSON.stringify(context.showrunner)}`)
  })
})

describe('checkSteps', () => {
  const steps = checkSteps()

  it('runs programs that are installed', () => {
    for (const { program } of steps) expect(existsSync(join(root, 'node_modules/.bin', program))).toBe(true)
  })

  it('checks the types of every project but the site, whose packages are apart: .ci/site checks it', () => {
    const configs = globSync('{*,*/*}/tsconfig.json', { cwd: root, exclude: ['node_modules/**', 'lib/**', 'site/**'] })
    const projects = configs.map((path) => path.replace(/\/tsconfig\.json$/, ''))
    const checked = steps.filter(({ program }) => program === 'tsc').map(({ args }) => args[1])
    expect(checked).toEqual(['.', ...projects.sort()])
  })

  it('ends with every synthesis', () => {
    expect(steps.slice(-synthSteps().length)).toEqual(synthSteps())
  })
})
