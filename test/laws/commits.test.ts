import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { root } from './sources.ts'

/** The last commit that the law does not apply to. */
const BEFORE = '9885697173c72d23bfbf4d3247e568f0f3b4a660'

const MAX_LENGTH = 72
const conventional =
  /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\(\.?[a-z0-9][a-z0-9/.-]*\))?!?: \S/

/** The commits since `BEFORE`, as `<hash> <subject>`; undefined where the checkout lacks that part of the history. */
function subjectsSince(before: string): string[] | undefined {
  const args = ['log', '--no-merges', '--format=%h %s', `${before}..HEAD`]
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter(Boolean) : undefined
}

/** Returns a sentence for each rule that a subject breaks. */
function problemsOf(commit: string): string[] {
  const subject = commit.slice(commit.indexOf(' ') + 1)
  return [
    ...(subject.length > MAX_LENGTH ? [`has ${subject.length} characters: shorten it to ${MAX_LENGTH}`] : []),
    ...(conventional.test(subject) ? [] : ['does not begin as "type(folder): "']),
    ...(subject.includes('; ') ? ['has two topics: divide the commit'] : []),
    ...(subject.endsWith('.') ? ['ends with a period: remove it'] : []),
  ].map((problem) => `${commit}: the subject ${problem}.`)
}

describe('subjects of commits', () => {
  const commits = subjectsSince(BEFORE)
  const title = `have a conventional form, one topic and at most ${MAX_LENGTH} characters`

  it(commits ? title : `${title} (not checked: this checkout has no history, or a shallow one)`, () => {
    expect((commits ?? []).flatMap(problemsOf)).toEqual([])
  })

  it('are read from the history, or reported as missing', () => {
    expect(subjectsSince('no-such-commit')).toBeUndefined()
  })

  it.each([
    ['a1 fix(lib/media): keep the last frame', []],
    ['a1 feat!: drop version 0 of manifests', []],
    [`a1 docs: ${'x'.repeat(66)}`, []],
    [`a1 docs: ${'x'.repeat(67)}`, ['has 73 characters: shorten it to 72']],
    ['a1 Fixed the player', ['does not begin as "type(folder): "']],
    ['a1 fix(Lib): keep it', ['does not begin as "type(folder): "']],
    ['a1 fix: keep it; docs: say so', ['has two topics: divide the commit']],
    ['a1 fix: keep it.', ['ends with a period: remove it']],
  ])('%s', (commit, problems) => {
    expect(problemsOf(commit)).toEqual(problems.map((problem) => `${commit}: the subject ${problem}.`))
  })
})
