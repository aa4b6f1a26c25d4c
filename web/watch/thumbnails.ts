import { cueAt, readCues } from './cues.ts'

export type Thumbnails = ReturnType<typeof createThumbnails>

/** The styles of an element that show a thumbnail. */
export interface Styled {
  readonly style: { backgroundImage: string; backgroundPosition: string; width: string; height: string }
}

/**
 * Creates thumbnails from sprite sheets and the cues that refer to them: `sprite-1.jpg#xywh=160,0,160,90`.
 * @param linkTo returns the link to a sheet by its name in the cues
 */
export function createThumbnails(vtt: string, linkTo: (file: string) => string | undefined) {
  const cues = readCues(vtt)
  return {
    /** Shows the thumbnail of a time in an element. Returns false if there is none. */
    show(element: Styled, time: number): boolean {
      const [file = '', area = ''] = cueAt(cues, time)?.text.trim().split('#xywh=') ?? []
      const [x, y, width, height] = area.split(',').map(Number)
      const sheet = linkTo(file)
      if (!sheet || height === undefined) return false
      element.style.backgroundImage = `url("${sheet}")`
      element.style.backgroundPosition = `-${x}px -${y}px`
      element.style.width = `${width}px`
      element.style.height = `${height}px`
      return true
    },
  }
}
