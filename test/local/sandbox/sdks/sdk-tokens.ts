import { createHmac, randomUUID } from 'node:crypto'

/** Parts of a token that is signed at test time, so that no signed token is in a file. */
export interface TokenParts {
  readonly key: string
  readonly secret: string
  readonly sessionId: string
  /** Unix seconds. */
  readonly now: number
}

type Make = (parts: TokenParts) => string
type Fields = Readonly<Record<string, unknown>>

const DAY = 86_400
const jwt = (secret: string, claims: Fields, header: Fields = { typ: 'JWT' }) => {
  const [head, body] = [{ alg: 'HS256', ...header }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return `${head}.${body}.${createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')}`
}

/** Creates a T1 token: `T1==` and base64 of the key, the signature and a form, in the standard or the URL alphabet. */
const t1 = ({ key, secret }: TokenParts, form: string, isUrlSafe = false) => {
  const signature = createHmac('sha1', secret).update(form).digest('hex')
  const encoded = Buffer.from(`partner_id=${key}&sig=${signature}:${form}`).toString('base64')
  return `T1==${isUrlSafe ? encoded.replaceAll('+', '-').replaceAll('/', '_') : encoded}`
}

/** The tokens that each SDK makes if its caller gives no options; `t1` where its caller can ask for that form. */
export const sdks: Readonly<Record<string, { readonly auth: Make; readonly token: Make; readonly t1?: Make }>> = {
  node: {
    auth: ({ key, secret, now }) => jwt(secret, { iss: key, ist: 'project', iat: now, exp: now + 300 }),
    token: ({ key, secret, sessionId, now }) =>
      jwt(secret, {
        ...{ iss: key, ist: 'project', iat: now, exp: now + DAY, session_id: sessionId, create_time: now },
        ...{ nonce: 0.4937746570162289, role: 'publisher', expire_time: now + DAY },
        ...{ initial_layout_class_list: '', scope: 'session.connect' },
      }),
  },
  python: {
    auth: ({ key, secret, now }) =>
      jwt(secret, { ist: 'project', iat: now, exp: now + 180, iss: key, jti: '0.8054612758481905' }),
    token: ({ key, secret, sessionId, now }) =>
      jwt(secret, {
        ...{ session_id: sessionId, role: 'publisher', iat: now, exp: now + DAY, scope: 'session.connect' },
        ...{ iss: key, ist: 'project', nonce: 620769 },
      }),
    t1: (parts) =>
      t1(
        parts,
        `session_id=${parts.sessionId}&create_time=${parts.now}&expire_time=${parts.now + DAY}&role=publisher&nonce=479892&initial_layout_class_list=`,
      ),
  },
  java: {
    auth: ({ key, secret, now }) =>
      jwt(secret, { iss: key, ist: 'project', jti: '4gEeyq-_aN84ZB2giI5QfQ', exp: now + 180, iat: now }, {}),
    token: ({ key, secret, sessionId, now }) =>
      jwt(secret, {
        ...{ session_id: sessionId, nonce: -2058925838, role: 'publisher', scope: 'session.connect' },
        ...{ ist: 'project', iss: key, jti: randomUUID(), exp: now + DAY, iat: now },
      }),
    t1: (parts) =>
      t1(
        parts,
        `session_id=${parts.sessionId}&create_time=${parts.now}&nonce=-2058925838&role=publisher&expire_time=${parts.now + DAY}`,
        true,
      ),
  },
  ruby: {
    auth: ({ key, secret, now }) => jwt(secret, { iss: key, iat: now, exp: now + 300 }, { ist: 'project' }),
    token: ({ key, secret, sessionId, now }) =>
      jwt(secret, {
        ...{ iss: key, ist: 'project', iat: now, nonce: 0.9342734, role: 'publisher', scope: 'session.connect' },
        session_id: sessionId,
      }),
    t1: (parts) => t1(parts, `role=publisher&session_id=${parts.sessionId}&create_time=${parts.now}&nonce=0.9342734`),
  },
  php: {
    auth: ({ key, secret, now }) =>
      jwt(secret, { ist: 'project', iss: key, iat: now, exp: now + 300, jti: '6564f1a2c1d4e8.12345678' }),
    token: ({ key, secret, sessionId, now }) =>
      jwt(secret, {
        ...{ iss: key, iat: now, session_id: sessionId, role: 'publisher', ist: 'project', nonce: 1432091735 },
        ...{ scope: 'session.connect', data: null, expireTime: null, initial_layout_class_list: '' },
      }),
    t1: (parts) =>
      t1(
        parts,
        `session_id=${parts.sessionId}&create_time=${parts.now}&role=publisher&nonce=1795345703.12345&initial_layout_class_list=`,
      ),
  },
  go: {
    auth: ({ key, secret, now }) =>
      jwt(secret, { ist: 'project', exp: now + 300, jti: randomUUID(), iat: now, iss: key }),
    token: (parts) => goToken(parts),
    t1: (parts) => goToken(parts),
  },
  dotnet: {
    auth: ({ key, secret, now }) => jwt(secret, { iss: key, ist: 'project', iat: now, exp: now + 300 }),
    token: ({ key, secret, sessionId, now }) =>
      jwt(secret, {
        ...{ iss: key, ist: 'project', role: 'publisher', session_id: sessionId, scope: 'session.connect', iat: now },
        ...{ jti: 'c2l4dHktZm91cg==', initial_layout_list: '', nonce: 482913, connection_data: null },
        ...{ exp: now + 300, nbf: now },
      }),
  },
}

const goToken = (parts: TokenParts) =>
  t1(
    parts,
    `connection_data=&create_time=${parts.now}&expire_time=${parts.now + DAY}&initial_layout_class_list=&nonce=3512345678&role=publisher&session_id=${parts.sessionId}`,
  )
