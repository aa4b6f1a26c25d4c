import { DRY_RUN, KEY_OF_CASE } from '../../documents/ask-documents.ts'
import { documentCases } from '../../documents/cases.ts'
import { type DocumentCase, documentOf, problemsOf } from '../../documents/document-case.ts'
import type { AnsweredRequest } from '../../environment/app/api-requests.ts'
import type { Evidence } from '../evidence.ts'
import { differencesOf } from './expected-answers.ts'
import { problemsOfForecast } from './forecasts.ts'

const cases = new Map(documentCases.map((one) => [`${KEY_OF_CASE}${one.what}`, one]))

/** Ends an expected message whose rest is not compared. */
const REST = '…'

/**
 * Checks the answers to dry runs by docs/show.schema.json and the guides: an accepted document has a forecast, and a refused
 * one has a problem at each expected path and no other. A request is not judged if a fault struck while it was answered.
 */
export function judgedDocuments({ apiRequests, trace }: Pick<Evidence, 'apiRequests' | 'trace'>): string[] {
  const asked = apiRequests.filter(({ method, path }) => method === 'POST' && path === DRY_RUN)
  if (asked.length === 0) return []
  const faults = trace.flatMap(({ fault, at }) => (fault === undefined ? [] : at))
  const isStruck = ({ askedAt, answeredAt }: AnsweredRequest) => faults.some((at) => at >= askedAt && at <= answeredAt)
  return asked.flatMap((request) => {
    const { key, status } = request
    const one = cases.get(key)
    if (!one || status === undefined || status === 429 || status >= 500 || isStruck(request)) return []
    return differences(one, request).map((difference) => `${one.what}: ${difference}`)
  })
}

interface Answer {
  readonly detail?: string
  readonly problems?: readonly { readonly path: string; readonly message: string }[]
  readonly show?: object
  readonly forecast?: Parameters<typeof problemsOfForecast>[1]
}

function differences(one: DocumentCase, { askedAt, status = 0, answer: text }: AnsweredRequest): string[] {
  const { show, forecast, detail = '', problems = [] } = read(text)
  const expectedStatus = one.problems ? (one.status ?? 400) : 200
  const found = problems.map(({ path, message }) => `${path} ${message}`)
  if (status !== expectedStatus)
    return [`was answered ${status} instead of ${expectedStatus}${found.map((each) => `, ${each}`).join('')}`]
  if (one.problems)
    return [
      ...differencesOfProblems(problemsOf(one, askedAt), problems),
      ...(detail.includes(one.detail ?? '') ? [] : [`was refused with the detail “${detail}”`]),
    ]
  if (!show || !forecast) return ['was answered without the show or its forecast']
  return [
    ...differencesOf(show, one.expected?.show ?? {}, 'show'),
    ...problemsOfForecast(documentOf(one, askedAt), forecast, one.expected ?? {}),
  ]
}

/** Reads an answer; empty if it is not JSON. */
function read(text: string): Answer {
  try {
    return JSON.parse(text) as Answer
  } catch {
    return {}
  }
}

function differencesOfProblems(
  expected: Readonly<Record<string, string>>,
  problems: NonNullable<Answer['problems']>,
): string[] {
  const isExpected = ({ path, message }: (typeof problems)[number]) => {
    const wanted = expected[path]
    return wanted?.endsWith(REST) ? message.startsWith(wanted.slice(0, -REST.length).trimEnd()) : wanted === message
  }
  const missing = Object.keys(expected).filter((path) => !problems.some((one) => one.path === path))
  const paths = problems.map(({ path }) => path)
  return [
    ...missing.map((path) => `no problem at ${path || 'the document'}`),
    ...problems.filter((one) => !isExpected(one)).map(({ path, message }) => `the problem ${path} ${message}`),
    ...(new Set(paths).size < paths.length ? ['several problems at one path'] : []),
  ]
}
