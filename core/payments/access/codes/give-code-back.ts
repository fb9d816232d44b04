import { accept, useCase } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { codes, giveTryAtCode } from './code.ts'
import { type RightCode, readCounted, uncountRight } from './try-code.ts'

/** Gives back all that the try of a right code was counted in: it could not be used, and may be typed in again. */
export const giveCodeBack = (ports: PaymentsPorts, email: string, found: RightCode) => {
  const everywhere = { ...found, counted: [...found.counted, ...found.atCode] }
  return useCase(
    ports,
    async (store) => ({ code: await store.find(byId(codes, email)), counts: await readCounted(store, everywhere) }),
    ({ code, counts }, { steady }) =>
      accept(null, ...giveTryAtCode(code, found), ...uncountRight(everywhere, counts, steady)),
  )
}
