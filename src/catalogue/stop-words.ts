/** Words that say nothing about which tool is meant: the small words of English, and the courtesies of a request. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between both but by
  can cannot could couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn have haven
  having he her here hers herself him himself his how i if in into is isn it its itself just ll m me might mightn more most must mustn my myself
  need needn no nor not now o of off on once only or other our ours ourselves out over own re s same shan she should shouldn so some such t
  than that the their theirs them themselves then there these they this those through to too under until up us ve very was wasn
  we were weren what when where which while who whom whose why will with won would wouldn y you your yours yourself yourselves
  additionally alright anything currently curious etc everything furthermore get getting give given glad got help hello hey hi interested
  kindly know let lets like looking lot make makes making maybe moreover much ok okay perhaps please really show something soon sure
  tell thank thanks thing things think thinking trying using use used useful via want wanted wants wondering yes yet one`.split(
    /\s+/,
  ),
)
