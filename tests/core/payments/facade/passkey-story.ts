import { passkeyVerifier } from '../../../../adapters/passkeys/passkey-verifier.ts'
import type { Ceremony } from '../../../../core/payments/passkeys/ceremony.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import type { PasskeySite } from '../../../../core/ports/passkeys.ts'
import { softwareAuthenticator } from '../../../adapters/passkeys/software-authenticator.ts'
import { right } from '../world.ts'

export const SITE = 'http://localhost'
const ORIGIN = { address: '203.0.113.8', device: 'celular' }
const BIA = { name: 'Bia Reis', email: 'bia@example.com', password: 'segredo-123' }

export const passkeys = passkeyVerifier({ publicUrl: SITE })

/** The options of a begun ceremony, as a browser passes them to an authenticator. */
export const optionsOf = ({ ceremony, site }: { readonly ceremony: Ceremony; readonly site: PasskeySite }) => ({
  challenge: ceremony.challenge,
  rp: site,
})

type Authenticator = ReturnType<typeof softwareAuthenticator>

/** The result of a registration, as a program passes it. */
export const created = ({ id, response }: ReturnType<Authenticator['create']>) => ({
  id,
  response: {
    clientDataJson: response.clientDataJSON,
    attestationObject: response.attestationObject,
    transports: response.transports,
  },
})

/** The response of an authenticator, as a program passes it. */
export const asserted = ({
  id,
  response: { clientDataJSON: clientDataJson, ...rest },
}: ReturnType<Authenticator['get']>) => ({
  id,
  response: { clientDataJson, ...rest },
})

/** Bia registers passkeys, signs in by one as the second step and by one alone, and removes one. */
export const passkeyStory = async (pay: Payments): Promise<void> => {
  const authenticator = softwareAuthenticator(SITE)
  const personOf = async (token: string) => right(await pay.sessions.authenticate(token, ORIGIN)())
  const confirmed = async (token: string) => {
    right(await pay.sessions.confirmPassword(await personOf(token), { password: BIA.password }, ORIGIN)())
    return personOf(token)
  }
  const bia = await confirmed(right(await pay.people.register(BIA, ORIGIN)()).accessToken)
  const begun = right(await pay.passkeys.beginRegistration(bia)())
  const credential = created(authenticator.create(optionsOf(begun)))
  const { passkey } = right(
    await pay.passkeys.register(bia, { name: 'Celular', ceremony: begun.ceremony.id, credential })(),
  )
  right(await pay.passkeys.rename(bia, passkey.id, { name: 'Celular novo' })())
  right(await pay.passkeys.list(bia)())

  const answer = async (challenge: string) => {
    const request = right(await pay.passkeys.beginProof({ challenge })())
    return { challenge, ceremony: request.ceremony.id, credential: asserted(authenticator.get(optionsOf(request))) }
  }
  const step = right(await pay.sessions.beginLogIn({ email: BIA.email, password: BIA.password }, ORIGIN)())
  if (!('challenge' in step)) throw new Error('Bia has a second factor')
  right(await pay.passkeys.completeLogIn(await answer(step.challenge.id), ORIGIN)())

  const alone = right(await pay.passkeys.beginLogIn()())
  const response = { ceremony: alone.ceremony.id, credential: asserted(authenticator.get(optionsOf(alone))) }
  const again = await confirmed(right(await pay.passkeys.logIn(response, ORIGIN)()).accessToken)

  const confirmation = right(await pay.secondFactor.challenge(again)()).id
  right(await pay.passkeys.prove(again, await answer(confirmation))())
  right(await pay.passkeys.remove({ ...again, confirmation }, passkey.id)())
}
