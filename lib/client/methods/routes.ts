// Generated from lib/api by `npm run docs`: change it there.

/** The route of each method. */
export const routes = {
  shows: {
    start: { method: 'POST', path: '/shows', takes: 'body', isKeyed: true },
    list: { method: 'GET', path: '/shows', takes: 'query', isList: true },
    get: { method: 'GET', path: '/shows/{id}' },
    edit: { method: 'PUT', path: '/shows/{id}', takes: 'body' },
    getQuality: { method: 'GET', path: '/shows/{id}/quality' },
    streams: { method: 'GET', path: '/shows/{id}/streams' },
    events: { method: 'GET', path: '/shows/{id}/events', takes: 'query' },
    execution: { method: 'GET', path: '/shows/{id}/execution', takes: 'query' },
    deliveries: { method: 'GET', path: '/shows/{id}/deliveries', takes: 'query' },
    replay: { method: 'POST', path: '/shows/{id}/deliveries/{deliveryId}/replay' },
    unschedule: { method: 'DELETE', path: '/shows/{id}' },
    invite: { method: 'POST', path: '/shows/{id}/invitations', takes: 'body' },
    revokeInvitations: { method: 'DELETE', path: '/shows/{id}/invitations' },
  },
  controls: {
    change: { method: 'PATCH', path: '/shows/{id}', takes: 'body', isKeyed: true },
    stop: { method: 'POST', path: '/shows/{id}/stop', isKeyed: true },
    signal: { method: 'POST', path: '/shows/{id}/signals', takes: 'body', isKeyed: true },
    mute: { method: 'POST', path: '/shows/{id}/mute', takes: 'body', isKeyed: true },
    setLayoutClasses: { method: 'POST', path: '/shows/{id}/layout-classes', takes: 'body', isKeyed: true },
    playTones: { method: 'POST', path: '/shows/{id}/tones', takes: 'body', isKeyed: true },
    disconnect: { method: 'POST', path: '/shows/{id}/disconnect', takes: 'body', isKeyed: true },
    addDialIn: { method: 'POST', path: '/shows/{id}/dial-ins', takes: 'body', isKeyed: true },
    addBroadcast: { method: 'POST', path: '/shows/{id}/broadcasts', takes: 'body', isKeyed: true },
    pauseRecording: { method: 'POST', path: '/shows/{id}/recordings/{name}/pause', isKeyed: true },
    setMarker: { method: 'POST', path: '/shows/{id}/markers', takes: 'body', isKeyed: true },
    resumeRecording: { method: 'POST', path: '/shows/{id}/recordings/{name}/resume', isKeyed: true },
  },
  tokens: {
    create: { method: 'POST', path: '/shows/{id}/tokens', takes: 'body' },
    exchange: { method: 'POST', path: '/public/join', takes: 'body', isPublic: true },
  },
  recordings: {
    list: { method: 'GET', path: '/recordings', takes: 'query', isList: true },
    get: { method: 'GET', path: '/recordings/{archiveId}' },
    getPublic: { method: 'GET', path: '/public/recordings/{archiveId}', isPublic: true },
    delete: { method: 'DELETE', path: '/recordings/{archiveId}', takes: 'query' },
    restore: { method: 'POST', path: '/recordings/{archiveId}/restore' },
    acceptFile: { method: 'POST', path: '/recordings/{archiveId}/accept', takes: 'body' },
    rejectFile: { method: 'POST', path: '/recordings/{archiveId}/reject', takes: 'body' },
    revokeLinks: { method: 'POST', path: '/recordings/{archiveId}/revoke' },
    rebuild: { method: 'POST', path: '/recordings/{archiveId}/rebuild', takes: 'body', isKeyed: true },
    putCaptions: {
      method: 'PUT',
      path: '/recordings/{archiveId}/captions/{language}',
      takes: 'text',
      mediaType: 'text/vtt',
    },
    deleteCaptions: { method: 'DELETE', path: '/recordings/{archiveId}/captions/{language}' },
  },
  clips: {
    create: { method: 'POST', path: '/recordings/{archiveId}/clips', takes: 'body', isKeyed: true },
    list: { method: 'GET', path: '/recordings/{archiveId}/clips' },
    get: { method: 'GET', path: '/recordings/{archiveId}/clips/{clipId}' },
    delete: { method: 'DELETE', path: '/recordings/{archiveId}/clips/{clipId}' },
  },
  usage: {
    get: { method: 'GET', path: '/usage', takes: 'query' },
  },
  events: {
    getKeys: { method: 'GET', path: '/.well-known/jwks.json', isPublic: true },
  },
} as const
