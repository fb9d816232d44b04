import { Refused } from '../../../../panels/browser/connection.ts'

/** Reports whether the server accepts passkeys. */
export const arePasskeysOn = document.querySelector<HTMLElement>('#panel')?.dataset.passkeys === 'true'

/** Reports whether passkeys work here: a browser has them on https alone. */
export const canUsePasskeys =
  arePasskeysOn && 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** A request to the authenticator, which the server began. */
export interface Ceremony<O> {
  readonly data: { readonly ceremony: string; readonly public_key: O }
}

/** The response of the authenticator, as the API takes it. */
export interface PasskeyResponse {
  readonly ceremony: string
  readonly credential: object
}

/** The failures of the browser, by the names of its errors. */
const FAULTS: Readonly<Record<string, string>> = {
  InvalidStateError: 'Este aparelho já tem uma chave de acesso sua.',
  SecurityError: 'A chave de acesso só vale no endereço público deste servidor.',
}

const CANCELLED = 'A chave de acesso não foi confirmada. Tente de novo.'

const responseOf = async (ceremony: string, pending: Promise<Credential | null>): Promise<PasskeyResponse> => {
  const credential = await pending.catch((error: unknown) => {
    const name = error instanceof DOMException ? error.name : ''
    throw new Refused(0, { message: FAULTS[name] ?? CANCELLED })
  })
  if (!(credential instanceof PublicKeyCredential)) throw new Refused(0, { message: CANCELLED })
  return { ceremony, credential: credential.toJSON() }
}

/** Makes a passkey on this device or on one that the user chooses. Rejects with `Refused` if the user cancels. */
export const createPasskey = ({
  data: { ceremony, public_key },
}: Ceremony<PublicKeyCredentialCreationOptionsJSON>): Promise<PasskeyResponse> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(public_key)
  return responseOf(ceremony, navigator.credentials.create({ publicKey }))
}

/** Asks for a passkey. Rejects with `Refused` if the user cancels. */
export const askPasskey = ({
  data: { ceremony, public_key },
}: Ceremony<PublicKeyCredentialRequestOptionsJSON>): Promise<PasskeyResponse> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(public_key)
  return responseOf(ceremony, navigator.credentials.get({ publicKey }))
}
