import { describe, expect, it } from 'vitest'
import { argumentsOf, runCdk, toCommand } from '../../../../bin/operations/deploy/cdk.ts'

describe('argumentsOf', () => {
  it('passes the checked settings and the file for the outputs', () => {
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
  it('quotes words for a shell', () => {
    expect(toCommand(['--context', `a={"b":"it's $HOME"}`])).toBe(`npx cdk --context 'a={"b":"it'\\''s $HOME"}'`)
  })
})

describe('runCdk', () => {
  it('runs the command line of the CDK', async () => {
    expect(await runCdk(['--version'], new AbortController().signal)).toBe(0)
  })

  it('does not start once it is interrupted', () => {
    expect(() => runCdk(['--version'], AbortSignal.abort(new Error('Interrupted.')))).toThrow('Interrupted.')
  })
})
