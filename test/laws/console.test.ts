import { describe, expect, it } from 'vitest'
import { readSources, type Source } from './sources.ts'

/** Behind it nothing is taken out of a line any more. */
const DOOR = 'lambdas/middleware/log.ts'

/** Calls of the console's methods, the console handed on under another name, and the streams behind it. */
const PAST_THE_LOG = /\bconsole(\?\.|\.(?=\w)|\[)|[=(,:]\s*console\b|['"](node:)?console['"]|\bprocess\.std(out|err)\b/

const pastTheLog = (sources: readonly Source[]) =>
  sources.filter(({ path, text }) => path !== DOOR && PAST_THE_LOG.test(text)).map(({ path }) => path)

describe('what functions write', () => {
  it('goes through the log, which takes secrets out', () => {
    expect(pastTheLog(readSources('lib', 'lambdas'))).toEqual([])
    const forms = ['console.log(1)', "console['log'](1)", 'const { log } = console', 'process.stdout.write(line)']
    const sources = forms.map((text, index) => ({ path: `lib/${index}.ts`, text }))
    expect(pastTheLog(sources)).toHaveLength(forms.length)
    expect(pastTheLog([{ path: DOOR, text: 'console.log(1)' }])).toEqual([])
  })
})
