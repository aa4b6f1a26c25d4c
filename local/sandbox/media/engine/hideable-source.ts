import { isSameSize, type Picture, wholeOf } from '../composing/picture.ts'
import { createNameplate } from '../pattern/nameplate.ts'
import type { Source } from '../sources/source.ts'

/** A source whose picture can be replaced by its name on black, while its audio continues. */
export interface HideableSource extends Source {
  isHidden: boolean
}

export function createHideableSource(source: Source, name: string): HideableSource {
  let plate: Picture | undefined
  let isHidden = false
  let isShownHidden = false
  let isTurned = false

  /** Returns the name in the size of the picture, which may change. */
  function nameplate(): Picture {
    if (!plate || !isSameSize(plate, source)) plate = createNameplate(name, source)
    return plate
  }

  return {
    get isHidden() {
      return isHidden
    },
    set isHidden(next) {
      isHidden = next
    },
    get width() {
      return source.width
    },
    get height() {
      return source.height
    },
    get picture() {
      return isShownHidden ? nameplate() : source.picture
    },
    get changed() {
      if (isTurned) return [wholeOf(isShownHidden ? nameplate() : source.picture)]
      return isShownHidden ? [] : source.changed
    },
    get audio() {
      return source.audio
    },
    get isResized() {
      return source.isResized ?? false
    },
    show(frame, size) {
      isTurned = isHidden !== isShownHidden
      isShownHidden = isHidden
      return source.show(frame, isHidden ? undefined : size)
    },
    close: async () => source.close?.(),
  }
}
