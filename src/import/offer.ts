/** Something that a source has to give: nothing of it is in the target yet. */
export type Offer = {
  /** The name of its folder in the target. */
  readonly name: string
  readonly kind: 'skill' | 'plugin'
  /** Where in the source it lies. */
  readonly path: string
  /** Puts it together at `place`, which does not exist yet. Asked for at most once. Throws `ImportError`. */
  readonly bring: (place: string) => Promise<{ readonly commit?: string }>
}

export type Offers = {
  readonly offers: readonly Offer[]
  /** A listing of several is chosen from; everything else is taken as a whole. */
  readonly listing: boolean
  readonly commit?: string
}
