import type { ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { ConnectionView, StreamView } from './messages.ts'
import { audibleAndVisible } from './presence.ts'

/** Clients and streams as participants see them. */
export const viewConnection = ({ id, createdAt, data }: ConnectionRecord): ConnectionView => ({ id, createdAt, data })

export const viewStream = (stream: StreamRecord): StreamView => {
  const { id, connectionId, createdAt, name, videoType, layoutClasses } = stream
  return { id, connectionId, createdAt, name, videoType, ...audibleAndVisible(stream), layoutClassList: layoutClasses }
}
