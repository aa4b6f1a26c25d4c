import { audibleAndVisible } from '../attendance.ts'
import type { ConnectionRecord, StreamRecord } from '../records.ts'
import type { ConnectionView, StreamView } from './messages.ts'

/** Clients and streams as participants see them. */
export const viewConnection = ({ id, createdAt, data }: ConnectionRecord): ConnectionView => ({ id, createdAt, data })

export const viewStream = (stream: StreamRecord): StreamView => {
  const { id, connectionId, createdAt, name, videoType, layoutClasses } = stream
  return { id, connectionId, createdAt, name, videoType, ...audibleAndVisible(stream), layoutClassList: layoutClasses }
}
