import { describe, expect, it } from 'vitest'
import { describeStart } from '../../../../lib/api/cron-in-words.ts'
import { parseSecret, type Secrets } from '../../../../lib/aws/secrets.ts'
import { createShowSecrets } from '../../../../lib/aws/show-secrets.ts'
import { checkShow } from '../../../../lib/show/document/check-show.ts'
import { publicPaths } from '../../../../lib/show/document/publishing.ts'
import { forecastOf } from '../../../../lib/show/plan/forecast/forecast.ts'
import { findSecretProblems } from '../../../../lib/show/run/start/check-secrets.ts'
import { TaskConfigError } from '../../../../lib/tasks/errors.ts'
import { DRY_RUN, KEY_OF_CASE } from '../../../../local/simulation/documents/ask-documents.ts'
import { documentSecret } from '../../../../local/simulation/documents/cases/secrets.ts'
import { casesOfSeed, documentCases } from '../../../../local/simulation/documents/cases.ts'
import { type DocumentCase, documentOf } from '../../../../local/simulation/documents/document-case.ts'
import { judgedDocuments } from '../../../../local/simulation/invariants/documents/judged-documents.ts'

const NOW = Date.UTC(2030, 0, 2, 10, 11, 12, 345)
const PREFIX = 'shows/'
const read = async (id: string, shape: Parameters<Secrets['read']>[1]) => {
  if (id !== `${PREFIX}documents`) throw new TaskConfigError(`There is no secret ${id}.`)
  return parseSecret(id, shape, JSON.stringify(documentSecret))
}
const showSecrets = createShowSecrets({ read: read as Secrets['read'] }, PREFIX)

/** Answers a dry run as the API does. */
async function answer(one: DocumentCase) {
  const parsed = checkShow(JSON.parse(JSON.stringify(documentOf(one, NOW))), NOW)
  if ('problems' in parsed) return { status: 400, body: parsed }
  const [publicPath] = publicPaths(parsed.show)
  const detail = `A show with public recordings (${publicPath}) requires the role admin, and the token grants operator.`
  if (publicPath !== undefined && one.role === 'operator') return { status: 403, body: { detail } }
  const problems = await findSecretProblems({ showSecrets }, parsed.show)
  const details = problems.map(({ path, message }) => ({ path, message: `cannot be used: ${message}` }))
  if (problems.length > 0) return { status: 409, body: { problems: details } }
  return { status: 200, body: { show: parsed.show, forecast: forecastOf(parsed.show, { now: NOW, describeStart }) } }
}

describe('documentCases', () => {
  it.each(['accepted', 'refused'])('has documents that are %s as documented', async (kind) => {
    const cases = documentCases.filter(({ problems }) => (problems ? 'refused' : 'accepted') === kind)
    expect(cases.length).toBeGreaterThan(150)
    const apiRequests = await Promise.all(
      cases.map(async (one) => {
        const { status, body } = await answer(one)
        const request = { method: 'POST', path: DRY_RUN, key: `${KEY_OF_CASE}${one.what}`, body: '' }
        return { ...request, askedAt: NOW, answeredAt: NOW, status, answer: JSON.stringify(body) }
      }),
    )
    expect(judgedDocuments({ apiRequests, trace: [] })).toEqual([])
  })

  it('has descriptions that are unique, and fit the key of a request', () => {
    const descriptions = documentCases.map(({ what }) => what)
    expect(new Set(descriptions).size).toBe(descriptions.length)
    expect(descriptions.filter((what) => !/^[ -~]{1,240}$/.test(what))).toEqual([])
  })
})

describe('casesOfSeed', () => {
  it('asks about each case at least twice in 50 seeds', () => {
    const asked = Array.from({ length: 50 }, (_, index) => casesOfSeed(index + 1)).flat()
    for (const { what } of documentCases) expect(asked.filter((one) => one === what).length).toBeGreaterThanOrEqual(2)
  })

  it('asks about many subjects in each seed', () => {
    const statuses = casesOfSeed(7).map(
      (what) => documentCases.find((one) => one.what === what)?.problems !== undefined,
    )
    expect(new Set(statuses).size).toBe(2)
  })
})
