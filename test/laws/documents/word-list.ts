/** A word or phrase that prose does not use, and what to write instead. */
interface UnwantedWords {
  readonly pattern: RegExp
  readonly instead: string
}

const unwanted = (source: string, instead: string): UnwantedWords => ({
  pattern: new RegExp(`\\b(?:${source})\\b`, 'gi'),
  instead,
})

/** Words that are not used in documents, comments, messages and help texts. */
const wordList: readonly UnwantedWords[] = [
  unwanted('tell|tells|told|telling', 'report, return, notify, print, show'),
  unwanted('whoever|somebody|nobody|anybody|everybody', 'caller, user, participant, client, anyone'),
  unwanted('whatever', 'the noun itself, any'),
  unwanted('anew', 'again'),
  unwanted('(?:broke|breaks?|breaking|broken) off', 'was interrupted'),
  unwanted('(?:go|goes|going|went) on', 'continues'),
  unwanted('comes|came', 'arrives, is, follows'),
  unwanted('lies|lain', 'is, is stored'),
  unwanted('stands(?! for)', 'is, is stored'),
  unwanted('(?:by|of) (?:it|them)sel(?:f|ves)', 'automatically'),
  unwanted('in words', 'as a message'),
  unwanted('unless told', '@default, by default'),
  unwanted('(?:what )?(?:became|becomes) of', 'the outcome of'),
  unwanted('(?:has|have) it (?:done|made|drawn|told)', 'does'),
  unwanted('(?<!there )is no (?!longer|more)(?=[a-z])', 'is not a'),
  unwanted('at length', 'for long'),
  unwanted('for good', 'permanently'),
  unwanted("of (?:one[’']s|its|their) own", 'own'),
  unwanted('a look|looks? again|be so|is so\\.', 'poll, observation'),
  unwanted('happenings?', 'event'),
  unwanted('sightings?', 'observation'),
  unwanted('fates?|verdicts?', 'outcome'),
  unwanted('streamable', 'faststart copy'),
  unwanted('rungs?', 'rendition'),
]

/** One message for each unwanted word in a text. */
export const findUnwantedWords = (text: string): string[] =>
  wordList.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(([found]) => `“${found}”: write ${instead}.`),
  )
