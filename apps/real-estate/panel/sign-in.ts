/** Where the panel signs people in, by the Firebase Auth REST calls. */
export interface SignIn {
  /**
   * The base of these calls: `https://identitytoolkit.googleapis.com/v1`. What is no absolute address lies within this server.
   */
  readonly url: string
  /** The web key, which every page of the provider's clients shows. */
  readonly apiKey: string
}

const ACCOUNTS = 'identitytoolkit.googleapis.com'
const TOKENS = 'securetoken.googleapis.com'

/** The sign-in of the development issuer, which is served beside the panel and takes any key. */
export const DEV_SIGN_IN: SignIn = { url: `${ACCOUNTS}/v1`, apiKey: 'development' }

/** The addresses at which a password, and later a refresh token, is changed for an ID token. */
export interface SignInAddresses {
  readonly password: string
  readonly refresh: string
}

/**
 * A provider that calls its hosts otherwise has both below its base. `up` leads from the page to where this server is.
 * Source: Firebase Auth REST API.
 */
export const signInAddresses = ({ url }: SignIn, up = ''): SignInAddresses => {
  const base = /\/v\d+$/.test(url) ? url : `${url}/v1`
  const from = /^https?:\/\//.test(base) ? '' : up
  return {
    password: `${from}${base}/accounts:signInWithPassword`,
    refresh: `${from}${base.replace(ACCOUNTS, TOKENS)}/token`,
  }
}
