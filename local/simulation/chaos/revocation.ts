/** The fault of an upload key that is revoked: uploads that use it fail. */
export const REVOCATION = 'revocation'
