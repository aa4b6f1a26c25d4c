import { writeCaptionsSegment } from '../media/captions/hls-captions.ts'
import { parseLanguage } from '../media/captions/language.ts'
import { parseWebVtt } from '../media/captions/web-vtt.ts'
import { MediaError } from '../media/media-error.ts'

/** A parsed value, or a sentence that says why it cannot be parsed. */
type Parsed = { readonly value: string } | { readonly problem: string }

/** Returns a language tag in its canonical form. */
export const parseCaptionsLanguage = (tag: string): Parsed => attempt(() => parseLanguage(tag))

/** Returns WebVTT captions in the form that HLS players load. */
export const parseCaptions = (webVtt: string): Parsed => attempt(() => writeCaptionsSegment(parseWebVtt(webVtt)))

function attempt(parse: () => string): Parsed {
  try {
    return { value: parse() }
  } catch (error) {
    if (error instanceof MediaError) return { problem: error.message }
    throw error
  }
}
