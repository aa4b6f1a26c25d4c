import { MediaError } from '../../../../lib/media/media-error.ts'
import { LayoutError } from '../../../../lib/platform/layouts/layout-error.ts'
import { type Layout, refuseUndrawable } from '../../../../lib/platform/layouts/layouts.ts'

/** Checks that a layout can be drawn. @throws {@link MediaError} */
export function checkLayout(layout: Layout): void {
  try {
    refuseUndrawable(layout)
  } catch (error) {
    throw error instanceof LayoutError ? new MediaError(error.message, { cause: error }) : error
  }
}
