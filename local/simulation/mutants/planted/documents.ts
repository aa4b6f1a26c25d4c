import type { Planted } from '../mutant.ts'

const DOCUMENT = 'lib/show/document'
const CRON = `${DOCUMENT}/fields/cron.ts`
const PAUSES = `${DOCUMENT}/fields/pauses.ts`
const START = `${DOCUMENT}/starts/start.ts`
const DESTINATION = `${DOCUMENT}/secret-destination.ts`
const STEPS = 'lib/show/plan/forecast/show-steps.ts'

/** Mistakes in the rules of documents, and in the forecast of a dry run. */
export const documents: readonly Planted[] = [
  {
    what: 'a pause that is accepted too close to the one before',
    edits: [{ file: PAUSES, text: 'from < before.to + MIN_PAUSE', instead: 'from < before.to' }],
    seed: 8,
  },
  {
    what: 'a pause that is accepted up to the end of the show',
    edits: [{ file: PAUSES, text: 'to > duration - MIN_PAUSE', instead: 'to > duration' }],
    seed: 4,
  },
  {
    what: 'names that are compared with the one before only',
    edits: [
      {
        file: `${DOCUMENT}/fields/order-names.ts`,
        text: 'values.indexOf(value) < index',
        instead: 'values[index - 1] === value',
      },
    ],
    seed: 10,
  },
  {
    what: 'a step of a cron expression that goes beyond its range',
    edits: [{ file: CRON, text: '(last - first) / step', instead: '(last - first) * step' }],
    seed: 18,
  },
  {
    what: 'a day of the week that counts from Monday',
    edits: [{ file: CRON, text: '.getUTCDay() + 1', instead: '.getUTCDay()' }],
    seed: 5,
  },
  {
    what: 'a local time that occurs twice, as its second',
    edits: [
      {
        file: `${DOCUMENT}/starts/local-times.ts`,
        text: 'instantsOf(local, zone)[0]',
        instead: 'instantsOf(local, zone).at(-1)',
      },
    ],
    seed: 6,
  },
  {
    what: 'a start that is not compared with its year in UTC',
    edits: [{ file: START, text: '...(hasOffset(text) ? [utcOf(text)] : [])', instead: '' }],
    seed: 11,
  },
  {
    what: 'a series that is accepted after its last day',
    edits: [
      {
        file: `${DOCUMENT}/starts/start-times.ts`,
        text: '(endOfSeries(start) ?? now + 1) <= now',
        instead: 'endOfSeries(start) === now',
      },
    ],
    seed: 18,
  },
  {
    what: 'a secret that is sent to paths that begin alike',
    edits: [{ file: DESTINATION, text: '`${url.pathname}/`', instead: 'url.pathname' }],
    seed: 1,
  },
  {
    what: 'a secret for encrypted servers that is sent to others',
    edits: [{ file: DESTINATION, text: '(asked.isEncrypted || !bound.isEncrypted) &&', instead: '' }],
    seed: 2,
  },
  {
    what: 'a user in the URL of a server that is accepted',
    edits: [
      {
        file: `${DOCUMENT}/fields/urls.ts`,
        text: 'if (url.username || url.password || /^[^/]*\\/\\/[^/?#]*@/.test(text)) return',
        instead: 'if (url.username && url.password) return',
      },
    ],
    seed: 2,
  },
  {
    what: 'a public recording that an operator may post',
    edits: [{ file: `${DOCUMENT}/publishing.ts`, text: "one.publish?.access === 'public' ?", instead: 'false ?' }],
    seed: 4,
  },
  {
    what: 'a recording that loses the access of its show',
    edits: [{ file: `${DOCUMENT}/publishing.ts`, text: 'own?.access ?? access', instead: "own?.access ?? 'signed'" }],
    seed: 5,
  },
  {
    what: 'a forecast that counts pauses as parts',
    edits: [{ file: PAUSES, text: '(pauses[index]?.from ?? duration) - begin', instead: 'duration - begin' }],
    seed: 3,
  },
  {
    what: 'a forecast that leaves the seconds out of times',
    edits: [{ file: STEPS, text: "[seconds % 60, 's'],", instead: "[0, 's']," }],
    seed: 1,
  },
]
