import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { authenticate, resolveActor } from './authenticate.ts'
import { logIn, readProfile } from './log-in.ts'
import { register } from './register.ts'

/** Who people are: their provider knows, and whoever is registered is somebody in a company. */
export const access = {
  useCases: (ports: RealEstatePorts) => ({
    /**
     * Whose token it is, registered or not.
     * Fails: `token.invalid` (none, too), `identity.unavailable` (the provider's keys cannot be had).
     * Source: decisions.md §6, Identity.
     */
    authenticate: authenticate(ports),
    /**
     * The registered user whose token it is.
     * Fails: `user.unregistered`.
     * Source: decisions.md §10.
     */
    resolveActor: resolveActor(ports),
    /**
     * Registers somebody in a company: oneself, or by its Admin somebody else; who names a new one as its Admin founds it.
     * Fails: `fields` (`unknown` company, `not-own`: not what one's token says), `registration.forbidden`, `user.uid.taken`,
     * `user.email.taken`.
     * Source: 03-real-estate.md, Authentication; decisions.md §6, Register.
     */
    register: register(ports),
    /**
     * Somebody's profile, with the name and the verified e-mail that their provider tells now.
     * Fails: `user.unknown` (nobody registered them).
     * Source: 03-real-estate.md, POST /api/auth/login.
     */
    logIn: logIn(ports),
    /**
     * Somebody's profile as it is.
     * Fails: `user.unknown`.
     * Source: 03-real-estate.md, POST /api/auth/refresh.
     */
    readProfile: readProfile(ports),
  }),
} satisfies RealEstateModule
