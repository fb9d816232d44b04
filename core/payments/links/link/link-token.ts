import { at } from '../../../kernel/records/record.ts'
import type { Cipher } from '../../../ports/runtime.ts'
import type { PaymentsSettings } from '../../payments-ports.ts'
import { links, type PaymentLink } from './link.ts'

/** What a link's token is sealed under: a sealed text put elsewhere does not open. */
const contextOf = (id: string): string => [...at(links, id), 'token'].join('/')

export const sealedToken = (cipher: Pick<Cipher, 'seal'>, id: string, token: string): string =>
  cipher.seal(token, contextOf(id))

type Sealed = Pick<PaymentLink, 'id' | 'tokenSealed'>

export const tokenOf = (cipher: Pick<Cipher, 'open'>, { id, tokenSealed }: Sealed): string =>
  cipher.open(tokenSealed, contextOf(id))

/** Whether a token is the link's. Their marks are compared: how long that takes tells nothing of the token. */
export const isTokenOf = (cipher: Pick<Cipher, 'open' | 'digest'>, link: Sealed, sent: string): boolean =>
  cipher.digest(tokenOf(cipher, link), contextOf(link.id)) === cipher.digest(sent, contextOf(link.id))

/** What a payer opens. Source: decisions.md §3, Payment link. */
export const publicUrlOf = (
  {
    cipher,
    settings,
  }: { readonly cipher: Pick<Cipher, 'open'>; readonly settings: Pick<PaymentsSettings, 'publicUrl'> },
  link: Sealed,
): string => `${settings.publicUrl}/pay/${link.id}?token=${tokenOf(cipher, link)}`
