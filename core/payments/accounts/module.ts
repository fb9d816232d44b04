import { right } from '../../failure.ts'
import type { UseCase } from '../../kernel/running/use-case.ts'
import {
  type Actor,
  type PaymentsModule,
  type PaymentsPorts,
  withConfirmedPassword,
  withRecentPassword,
} from '../payments-ports.ts'
import { accounts as collection } from './account.ts'
import { readSecrets, replaceApiKey, setTerms } from './change-account.ts'
import { checkPin, setPin } from './pin.ts'
import { reminders } from './reminders.ts'
import { updateAccount } from './update-account.ts'
import { openLogo } from './views.ts'

const PASSED: UseCase<null, never> = async () => right(null)

/** Accounts and their settings. */
export const accounts = {
  collections: [collection, reminders],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Changes an account's settings, rates in hundredths. An omitted field stays, null clears. Check the PIN first, by
     * `checkPin`.
     * Fails: `fields` (`document.taken`, `charge.discount`, `charge.consumer-fine`, `charge.fine`, `pin.weak` …),
     * `account.unknown`, `pin.wrong` (a new PIN, and another one was set meanwhile), `password.stale`, `server.busy`.
     */
    update: withRecentPassword(ports)(updateAccount(ports)),
    /**
     * Checks an account's PIN of six digits. The fifth wrong one in a row locks it for 30 minutes.
     * Fails: `pin.missing`, `pin.none`, `pin.wrong`, `pin.locked`, `account.unknown`, `server.busy`.
     */
    checkPin: checkPin(ports),
    /**
     * Sets an account's first PIN, of six digits.
     * Fails: `fields`, `pin.set` (it has one), `account.unknown`, `password.stale`, `server.busy`.
     */
    setPin: withRecentPassword(ports)(setPin(ports)),
    /**
     * Checks that the session need not send the password again, before an answer with secrets is repeated.
     * Fails: `password.stale`.
     */
    checkPasswordRecent: withRecentPassword(ports)((_: Actor) => PASSED),
    /**
     * Checks that the password was sent within ten minutes, before an answer with a new key is repeated.
     * Fails: `password.stale` (also in a session that is not guarded).
     */
    checkPasswordConfirmed: withConfirmedPassword(ports)((_: Actor) => PASSED),
    /**
     * Reads an account's API key and webhook secret.
     * Fails: `account.unknown`, `password.stale` (more than ten minutes, 600 seconds, since the password of a guarded
     * session).
     */
    readSecrets: withRecentPassword(ports)(readSecrets(ports)),
    /**
     * Replaces an account's API key, and returns the new one. The former key ends at once; tokens that were issued for
     * it live out their ten minutes.
     * Fails: `account.unknown`, `password.stale` (also in a session that is not guarded).
     */
    replaceApiKey: withConfirmedPassword(ports)(replaceApiKey(ports)),
    /**
     * Sets fees and limits in cents, bank and Pix key, for the bank's back office. An omitted field stays.
     * Fails: `fields` (`unknown` bank, `pix-key`), `account.unknown`.
     */
    setTerms: setTerms(ports),
    /**
     * Reads the bytes of an account's logo, which is public, by the id of its file.
     * Fails: `logo.unknown` (also for any other file).
     */
    openLogo: openLogo(ports),
  }),
} satisfies PaymentsModule
