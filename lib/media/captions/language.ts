import { MediaError } from '../media-error.ts'

/** Language with an optional script and region (BCP 47): `en`, `pt-BR`, `zh-Hant-TW`. Variants are refused. */
export const languageTag = /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/

/** Returns the canonical form (`EN-us` is `en-US`). @throws {@link MediaError} for all but language, script and region */
export function parseLanguage(tag: string): string {
  const [canonical] = languageTag.test(tag) ? Intl.getCanonicalLocales(tag) : []
  if (canonical && languageTag.test(canonical)) return canonical
  throw new MediaError('The language tag is invalid: use a tag such as en, pt-BR or zh-Hant.')
}

/** Returns a language's name in that language, for a player's menu; the tag itself for an unknown one. */
export const languageName = (tag: string): string =>
  new Intl.DisplayNames([tag, 'en'], { type: 'language' }).of(tag) ?? tag
