import type { ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { ConnectionView, StreamView } from './messages.ts'
import { audibleAndVisible } from './presence.ts'

/** Returns a client as participants see it. */
export const viewConnection = ({ id, createdAt, data }: ConnectionRecord): ConnectionView => ({ id, createdAt, data })

/** Returns a stream as participants see it. */
export const viewStream = (stream: StreamRecord): StreamView => {
  const { id, connectionId, createdAt, name, videoType, layoutClasses } = stream
  return { id, connectionId, createdAt, name, videoType, ...audibleAndVisible(stream), layoutClassList: layoutClasses }
}
