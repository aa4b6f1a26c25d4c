import type { Picture } from '../../../local/sandbox/media/composing/picture.ts'
import { findCells, isLit, readCellTimecode } from '../../../local/sandbox/media/pattern/cells.ts'

export { findCells, isLit, readCellTimecode }

/** The frames of a recording at which a participant's disc turns white; the cell may move. */
export function flashOnsets(pictures: readonly Picture[], place: number): number[] {
  const lit = pictures.map((picture) => {
    const cell = findCells(picture).get(place)
    return cell !== undefined && isLit(picture, cell)
  })
  return lit.flatMap((isOn, frame) => (isOn && !lit[frame - 1] ? [frame] : []))
}
