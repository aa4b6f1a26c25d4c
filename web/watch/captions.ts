import type { WatchedRecording } from '../../lib/publish/manifest/watched-recording.ts'
import { byId, element, fillChoice } from '../dom.ts'
import { preferredLanguage } from './preferred-language.ts'

const OFF = ''

export type CaptionsControl = ReturnType<typeof createCaptions>

/** Adds the tracks of supplied captions to a video. None is shown before the viewer chooses it. */
export function createCaptions(video: HTMLVideoElement, { captions }: WatchedRecording) {
  const [choice, toggle] = [byId('select', 'captions'), byId('button', 'captions-toggle')]
  toggle.hidden = captions.length === 0
  const elements = captions.map(({ language, url }) =>
    element('track', { kind: 'captions', srclang: language, label: nameOf(language), src: url }),
  )
  video.append(...elements)
  const tracks = elements.map(({ track }) => track)
  fillChoice(choice, [
    { value: OFF, label: 'Off' },
    ...captions.map(({ language }) => ({ value: language, label: nameOf(language) })),
  ])
  const languages = captions.map(({ language }) => language)
  const remembered = remember()
  let last = preferredLanguage(languages, [...(remembered ? [remembered] : []), ...navigator.languages])
  const show = (language: string) => {
    choice.value = language
    toggle.setAttribute('aria-pressed', String(language !== OFF))
    if (language !== OFF) last = language
    // A browser with native HLS adds the tracks of the playlist, which would be shown as well.
    for (const track of video.textTracks)
      track.mode = tracks.includes(track) && track.language === language ? 'showing' : 'disabled'
  }
  const choose = (language: string) => {
    show(language)
    remember(language)
  }
  choice.addEventListener('change', () => choose(choice.value))
  show(remembered && languages.includes(remembered) ? remembered : OFF)
  return {
    /** Switches between off and the language that was chosen last. */
    toggle: () => choose(choice.value === OFF ? last : OFF),
    /** Returns the language that is shown, or would be. */
    language: () => last,
    /** Replaces the links of tracks that are not loaded yet. */
    relink(recording: WatchedRecording) {
      for (const element of elements.filter(({ readyState }) => readyState === HTMLTrackElement.NONE)) {
        const renewed = recording.captions.find(({ language }) => language === element.srclang)
        if (renewed) element.src = renewed.url
      }
    },
  }
}

/** Returns the language that the viewer chose last, on any page, or replaces it. A frame may have no storage. */
function remember(language?: string): string | undefined {
  try {
    if (language === undefined) return localStorage.getItem('captions') ?? undefined
    localStorage.setItem('captions', language)
  } catch {}
  return language
}

/** Returns the name of a language in the language of the browser, or its tag. */
function nameOf(language: string): string {
  try {
    return new Intl.DisplayNames([navigator.language], { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}
