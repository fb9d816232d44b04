import { isLeft } from '../../../core/fp.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import type { BankNotifications } from '../../../core/ports/bank.ts'
import type { Ground } from './environment.ts'
import { anyone, ask } from './process.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

type Notice = (pay: Payments) => ReturnType<BankNotifications['paid']>

/** How somebody outside tells the platform: late, in any order, and until it was taken. */
export interface Teller {
  tell(what: string, notice: Notice): Promise<void>
  /** Notices that the platform has not taken yet. */
  untold(): number
}

export const tellerOf = (ground: Ground): Teller => {
  const { agenda, dice, trace } = ground
  let untold = 0
  return {
    untold: () => untold,
    async tell(what, notice) {
      untold += 1
      await agenda.wait(dice.pick([0, 0, 100, SECOND_MS, 60 * SECOND_MS, 3 * HOUR_MS]))
      for (;;) {
        const process = anyone(ground)
        const taken = process && (await ask(process, notice(process.pay)))
        if (taken && !isLeft(taken)) break
        if (taken && taken.left.tag !== 'unavailable') ground.broken.push(`${what} was refused: ${taken.left.code}`)
        await agenda.wait(dice.between(SECOND_MS, 60 * SECOND_MS))
      }
      trace.note(`told ${what}`)
      untold -= 1
    },
  }
}
