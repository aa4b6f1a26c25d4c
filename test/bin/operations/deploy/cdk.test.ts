import { describe, expect, it } from 'vitest'
import { argumentsOf, runCdk, toCommand } from '../../../../bin/operations/deploy/cdk.ts'

describe('argumentsOf', () => {
  it('hands on what was checked, and where the outputs are kept', () => {
    const context = { stage: 'prod', platform: { url: 'https://a.example.com/?a=b' } }
    expect(argumentsOf({ stage: 'prod', context, more: ['--hotswap'] })).toEqual([
      'deploy',
      'Showrunner-prod',
      '--context',
      'showrunner={"stage":"prod","platform":{"url":"https://a.example.com/?a=b"}}',
      '--no-previous-parameters',
      '--outputs-file',
      '.showrunner/deployments/prod.json',
      '--hotswap',
    ])
  })
})

describe('toCommand', () => {
  it('quotes what a shell would not take as it is', () => {
    expect(toCommand(['--context', `a={"b":"it's $HOME"}`])).toBe(`npx cdk --context 'a={"b":"it'\\''s $HOME"}'`)
  })
})

describe('runCdk', () => {
  it('runs the CDK’s own command line', async () => {
    expect(await runCdk(['--version'], new AbortController().signal)).toBe(0)
  })

  it('begins nothing once it is interrupted', () => {
    expect(() => runCdk(['--version'], AbortSignal.abort(new Error('Interrupted.')))).toThrow('Interrupted.')
  })
})
