import type { WatchedRecording } from '../../lib/publish/manifest/watched-recording.ts'
import { byId, fillChoice } from './page.ts'

const OFF = ''

export interface Captions {
  /** On in the language chosen last, or off. */
  toggle(): void
  /** Takes new links for what has not been loaded yet. */
  relink(recording: WatchedRecording): void
}

/** Captions that somebody has supplied, none of which is shown before it is chosen. */
export function createCaptions(video: HTMLVideoElement, { captions }: WatchedRecording): Captions {
  const [choice, toggle] = [byId('select', 'captions'), byId('button', 'captions-toggle')]
  toggle.hidden = captions.length === 0
  const elements = captions.map(({ language, url }) => {
    const element = document.createElement('track')
    element.kind = 'captions'
    element.srclang = language
    element.label = nameOf(language)
    element.src = url
    video.append(element)
    return element
  })
  const own = elements.map(({ track }) => track)
  fillChoice(choice, [
    { value: OFF, label: 'Off' },
    ...captions.map(({ language }) => ({ value: language, label: nameOf(language) })),
  ])
  let last = captions[0]?.language ?? OFF
  const show = (language: string) => {
    choice.value = language
    toggle.setAttribute('aria-pressed', String(language !== OFF))
    if (language !== OFF) last = language
    // A browser that plays playlists by itself has theirs as well, which would be shown twice.
    for (const track of video.textTracks)
      track.mode = own.includes(track) && track.language === language ? 'showing' : 'disabled'
  }
  choice.addEventListener('change', () => show(choice.value))
  show(OFF)
  return {
    toggle: () => show(choice.value === OFF ? last : OFF),
    relink(recording) {
      for (const element of elements.filter(({ readyState }) => readyState === HTMLTrackElement.NONE)) {
        const renewed = recording.captions.find(({ language }) => language === element.srclang)
        if (renewed) element.src = renewed.url
      }
    },
  }
}

/** In the reader's language where the browser knows it. */
function nameOf(language: string): string {
  try {
    return new Intl.DisplayNames([navigator.language], { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}
