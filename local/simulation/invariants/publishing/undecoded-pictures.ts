import { UNDECODABLE_PICTURES } from '../../environment/media/undecodable-media.ts'
import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import type { ArchiveFile } from './archive-files.ts'

/** Returns true for a recording that was rebuilt while no picture could be decoded: it keeps the pictures of before. */
export const isUndecoded = ({ executions }: Pick<ArchiveFile, 'executions'>, { trace }: Pick<Evidence, 'trace'>) =>
  exceptionsIn(trace).some(({ fault, at, line }) => {
    if (fault !== UNDECODABLE_PICTURES) return false
    const until = at + Number(/for (\d+) s$/.exec(line)?.[1]) * 1000
    return executions.some(({ name, startDate }) => {
      const time = startDate.getTime()
      return name.includes('-rebuild-') && time >= at && time < until
    })
  })
