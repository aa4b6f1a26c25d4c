import type { uploadTargetOperations } from '../../../lib/platform/contract/upload-targets.ts'
import type { Handlers } from '../handler.ts'
import { Refusal } from '../http/refusal.ts'
import type { Store } from '../state/store.ts'

export const uploadTargetHandlers = (store: Store): Handlers<keyof typeof uploadTargetOperations> => ({
  setUploadTarget({ apiKey, body }, { submitted }) {
    store.projects.update(apiKey, { uploadTarget: body })
    return { ...(submitted as object) }
  },
  deleteUploadTarget(_request, { project }) {
    if (!project.uploadTarget) throw new Refusal(404, 'No upload target is set.')
    store.projects.update(project.id, { uploadTarget: undefined })
    return undefined
  },
})
