import { MediaError } from '../media-error.ts'

/** Language, then perhaps script and region (BCP 47): `en`, `pt-BR`, `zh-Hant-TW`. Variants and extensions name no captions. */
const TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?$/

/**
 * Brings a language tag into its one form (`EN-us` is `en-US`), so that it can name a file.
 * @throws MediaError for anything but language, script and region
 */
export function parseLanguage(tag: string): string {
  const [canonical] = TAG.test(tag) ? Intl.getCanonicalLocales(tag) : []
  if (canonical && TAG.test(canonical)) return canonical
  throw new MediaError('The language is no tag such as en, pt-BR or zh-Hant: language, then perhaps script and region.')
}

/** What speakers of a language call it, for a player's menu; the tag itself where that is not known. */
export const languageName = (tag: string): string =>
  new Intl.DisplayNames([tag, 'en'], { type: 'language' }).of(tag) ?? tag
