package profile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// wordsOf splits a field name into lower-case words: applicant.customerNo is applicant, customer, no.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	previous := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			flush()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		previous = r
	}
	flush()
	return words
}

// leaf is the last word of a name that is not the position in an array.
func leaf(name string) string {
	words := wordsOf(name)
	for _, word := range slices.Backward(words) {
		if strings.Trim(word, "0123456789") != "" {
			return word
		}
	}
	return ""
}

// anyOf says whether one of the words of name, or the whole of it without separators, is in list.
func anyOf(name string, list []string) bool {
	words := wordsOf(lastPart(name))
	return slices.Contains(list, strings.Join(words, "")) ||
		slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
}

// isAbout says the same of the word that tells what a field holds: the last one, or one behind which only qualifiers stand. So applicant_race and
// race_of_applicant are about race, and race_car and car_age are about no person.
func isAbout(name string, list []string) bool {
	words := wordsOf(lastPart(name))
	if slices.Contains(list, strings.Join(words, "")) {
		return true
	}
	for at, word := range slices.Backward(words) {
		if slices.Contains(list, word) {
			return at == 0 || !slices.Contains(things, words[at-1])
		}
		if bare := strings.Trim(word, "0123456789"); bare != "" && !slices.Contains(qualifiers, bare) {
			return false
		}
	}
	return false
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// things have an age, a colour or an origin that is nobody's.
var things = strings.Fields("car vehicle product item account building house home property company firm policy device machine screen page map system link auto fahrzeug produkt gebäude konto " +
	"voiture véhicule produit compte maison coche cuenta edificio casa")

// qualifiers stand behind the word that tells what a field holds: the form that it is written in, whom it is of, and when.
var qualifiers = strings.Fields("code name desc description text label flag yn ind indicator bool binary num numeric value cat category group class bracket band level type status " +
	"of the a at by in on for within after next last this is was raw clean recoded recode self reported " +
	"applicant coapplicant borrower customer client person patient employee candidate student driver owner holder user member respondent head household defendant cat1 cor cd " +
	"day days d week weeks month months m mo year years y yr yrs quarter payment loan application time " +
	"des der die das du de del la le les el client cliente clients demandeur solicitante empleado paciente kunde kunden kundin person antragsteller bewerber mitarbeiter patienten " +
	"jahr jahre jahren monat monate paiement pago credito crédito kredit")

var (
	identifierWords = []string{"id", "ids", "uuid", "guid", "key", "number", "nr", "no", "ref", "reference", "account", "iban",
		"ssn", "phone", "phones", "telephone", "mobile", "email", "mail", "ip", "hash", "token", "serial", "index",
		"nummer", "numer", "numero", "número", "num", "kennung", "aktenzeichen", "identifiant", "identificador", "matricula", "matrícula", "matricola", "folio", "legajo", "expediente", "cpf", "cnpj", "dni", "nif", "bsn", "pesel", "tckn",
		"číslo", "cislo", "番号", "번호"}
	timeWords = []string{"time", "timestamp", "ts", "date", "at", "created", "updated", "when", "epoch"}

	labelWords = []string{"label", "target", "outcome", "class", "y", "repaid", "paid", "default", "defaulted", "approved",
		"approval", "accepted", "granted", "hired", "churn", "churned", "fraud", "response", "converted", "clicked", "survived",
		"recid", "recidivism", "income", "result", "decision", "success", "passed", "admitted", "readmitted", "readmission", "bought",
		"deny", "denied", "denial", "declined", "rejected", "refused", "reoffended", "rearrest", "rearrested", "attrition", "conversion", "purchased", "subscribed",
		"delinquent", "delinquency", "cancelled", "canceled", "died", "death", "mortality", "graduated", "dropout", "promoted", "guilty", "bad",
		"ziel", "ergebnis", "bewilligt", "genehmigt", "abgelehnt", "ausfall", "zahlungsausfall", "zurückgezahlt", "zurueckgezahlt", "kreditwürdig", "kreditwuerdig",
		"eingestellt", "betrug", "gekündigt", "gekuendigt", "kündigung", "kuendigung", "gekauft", "bestanden",
		"cible", "résultat", "resultat", "accepté", "accepte", "refusé", "refuse", "défaut", "defaut", "fraude", "embauché", "embauche", "remboursé", "rembourse",
		"objetivo", "resultado", "aprobado", "rechazado", "denegado", "impago", "contratado", "abandono", "devuelto", "siniestro", "sinistre", "sinistro",
		"esito", "approvato", "approvata", "respinto", "respinta", "insolvente", "insolvenza", "frode", "assunto", "inadimplente", "inadimplencia", "inadimplência", "aprovado", "negado",
		"goedgekeurd", "afgewezen", "wanbetaling", "aangenomen", "schadeclaim", "återbetald", "återbetalt", "beviljad", "godkänd", "onay", "onaylandı", "одобрено", "дефолт", "承認", "可否", "przyznano", "przyznany", "odrzucono", "decyzja",
		"spłacono", "spłacony", "spłacona", "splacono", "accordé", "accorde", "accordée", "返済", "完済", "延滞",
		"npa", "arrest", "arrested", "deactivated", "suspended", "foreclosure", "foreclosed", "evicted", "chargedoff", "funded", "hire", "renewed", "lapsed", "shortlisted", "selected", "dismissed", "laidoff",
		"splaceno", "splaceny", "schvaleno", "schváleno", "zamitnuto", "zamítnuto", "zatrudniony", "zatrudniono", "zwolniony", "splacony", "odmowa", "toegekend", "terugbetaald", "afgelost", "geslaagd", "wanbetaler",
		"opgezegd", "contratada", "aprovada", "deferido", "quitado", "evadiu", "evasão", "evasao", "reprovado", "demitido", "onaylandi", "ödendi", "odendi", "temerrüt", "temerrut", "reddedildi", "işealındı", "ayrıldı",
		"採用", "合格", "解約", "退職", "貸倒", "可決", "manzoor", "manjoor", "swikrit", "chukaya"}
	attributeWords = []string{"sex", "gender", "race", "ethnicity", "ethnic", "religion", "nationality", "citizenship", "disability",
		"disabled", "orientation", "age", "birth", "birthyear", "agegroup", "migration", "foreign", "foreignworker",
		"veteran", "pregnant", "geschlecht", "alter", "herkunft", "nationalität", "nationalitaet", "staatsangehörigkeit", "staatsangehoerigkeit", "behinderung",
		"migrationshintergrund", "sexe", "civilite", "civilité", "âge", "nationalité", "nationalite", "origine", "handicap", "sexo", "género", "genero", "edad", "raza", "etnia", "nacionalidad",
		"discapacidad",
		"sesso", "genere", "età", "razza", "nazionalità", "cittadinanza", "disabilità", "raça", "raca", "idade", "gênero", "nacionalidade", "deficiência",
		"geslacht", "leeftijd", "nationaliteit", "płeć", "plec", "wiek", "narodowość", "kön", "køn", "kjønn", "koen", "sukupuoli", "ålder", "cinsiyet", "yaş", "yas", "uyruk",
		"milliyet", "din", "pohlavi", "pohlaví", "pohlavie", "národnost", "narodnost", "věk", "vek", "spol", "lytis", "sugu", "nem", "életkor", "eletkor", "gndr", "caste", "jati", "jaati", "dharm", "dharma", "ling", "linga", "umr", "umar", "jenis",
		"kelamin", "jantina", "seibetsu", "nenrei", "kokuseki", "alder", "herkomst", "afkomst", "ras", "godsdienst", "obywatelstwo", "narodowosc", "tribe", "indigenous", "пол", "возраст", "национальность", "性別", "年齢", "国籍", "민족", "성별"}
)

func namesIdentifier(name string) bool {
	last := leaf(name)
	return slices.Contains(identifierWords, last) || strings.HasSuffix(last, "番号") || strings.HasSuffix(last, "번호") // words are not set apart
}

func namesTime(name string) bool { return anyOf(name, timeWords) }

// IsIdentifierName says whether a field has the name of an identifier.
func IsIdentifierName(name string) bool { return namesIdentifier(name) }

// IsLabelName says whether a field has the name of a label, and IsAttributeName that of a protected attribute.
func IsLabelName(name string) bool     { return isAbout(name, labelWords) }
func IsAttributeName(name string) bool { return isAbout(name, attributeWords) }

// IsClassName says whether a field has a name that labels have, and so have classes of anything else.
func IsClassName(name string) bool { return isAbout(name, []string{"class"}) }

// IsVagueLabelName says whether a field has a name that labels have, and so have settings and measurements: the result of a test, a default value.
func IsVagueLabelName(name string) bool {
	return isAbout(name, []string{"result", "default", "ergebnis", "résultat", "resultat", "resultado", "esito"})
}

// IsWantedName says whether a field has the name of a label that people want to be true of them.
func IsWantedName(name string) bool {
	return isAbout(name, []string{"repaid", "paid", "approved", "approval", "accepted", "granted", "hired", "survived", "success", "passed", "admitted", "graduated", "promoted",
		"bewilligt", "genehmigt", "zurückgezahlt", "zurueckgezahlt", "kreditwürdig", "kreditwuerdig", "eingestellt", "bestanden",
		"accepté", "accepte", "embauché", "embauche", "remboursé", "rembourse", "aprobado", "contratado", "devuelto"})
}

// MustBeLabel says whether a field has a name that nobody gives to anything but a label.
func MustBeLabel(name string) bool {
	return isAbout(name, []string{"label", "target", "y", "outcome", "ziel", "cible", "objetivo"})
}

// IsPredictionName says whether a field has the name of what a model says, such as predicted_class or model_score.
func IsPredictionName(name string) bool {
	words := wordsOf(lastPart(name))
	return anyOf(name, []string{"prediction", "predictions", "predicted", "pred", "yhat", "proba", "yprob", "vorhersage", "prognose", "prédiction", "predicción"}) ||
		slices.Contains(words, "model") && (slices.Contains(words, "score") || slices.Contains(words, "output"))
}

// IsLaterName says whether a field has the name of something that comes after the record, such as status_next_month.
func IsLaterName(name string) bool {
	return slices.ContainsFunc(wordsOf(lastPart(name)), func(word string) bool {
		return slices.Contains([]string{"next", "future", "subsequent", "afterwards", "following"}, word)
	})
}

// IsDecisionName says whether a field has the name of a decision about a person.
func IsDecisionName(name string) bool {
	return isAbout(name, []string{"decision", "approved", "approval", "accepted", "granted", "rejected", "declined", "denied", "refused", "recommendation", "recommended", "verdict",
		"entscheidung", "bewilligt", "genehmigt", "abgelehnt", "décision", "accepté", "refusé", "aprobado", "rechazado", "denegado"})
}

// IsWeightName says whether a field has the name of how much, or how often, a record counts.
func IsWeightName(name string) bool {
	words := wordsOf(lastPart(name))
	whole := strings.Join(words, "")
	return slices.Contains([]string{"count", "counts", "freq", "frequency", "n", "pwgtp", "perwt", "finalweight"}, whole) || slices.Contains([]string{"weight", "weights", "wt", "wgt", "gewicht"}, leaf(name)) &&
		slices.ContainsFunc(words, func(word string) bool {
			return slices.Contains([]string{"sample", "sampling", "survey", "record", "instance", "case", "observation", "row", "probability", "design", "expansion", "class", "inverse", "ipw"}, word)
		})
}

const (
	// The first line of a file is probably a record if leastValued of its names are numbers or times, and valuedShare of all.
	leastValued = 2
	valuedShare = .25
)

// Headless says whether names are probably the values of a record, as of a file without a line of names. Columns that are numbered from 0 or 1 on are not.
func Headless(names []string) bool {
	valued, numbered := 0, 0
	for at, name := range names {
		name = strings.TrimSpace(name) // as of a file with blanks behind its commas
		_, isNumber := number([]byte(name))
		if _, isTime := ParseTime([]byte(name)); isNumber || isTime {
			valued++
		}
		if first, err := strconv.Atoi(name); err == nil && (first == at || first == at+1) {
			numbered++
		}
	}
	return valued >= leastValued && float64(valued) >= valuedShare*float64(len(names)) && 2*numbered < valued
}

// unknownWords say that a value is not known.
var unknownWords = []string{"unknown", "unk", "not known", "not stated", "not specified", "not reported", "not available", "undisclosed", "prefer not to say", "declined", "missing", "n/a", "na", "none", "-", "?", "x",
	"unbekannt", "keine angabe", "k.a", "inconnu", "desconocido", "sconosciuto", "9", "99", "999"}

// IsUnknownWord says whether a text says that a value is not known.
func IsUnknownWord(text string) bool {
	return slices.Contains(unknownWords, strings.ToLower(strings.TrimFunc(text, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })))
}

// IsAmountName says whether a field has the name of an amount of money.
func IsAmountName(name string) bool {
	return isAbout(name, []string{"amount", "income", "salary", "wage", "price", "cost", "balance", "debt", "loan", "credit", "revenue", "limit", "premium", "rent", "betrag", "einkommen", "gehalt", "preis", "kosten",
		"saldo", "montant", "salaire", "prix", "importe", "monto", "salario", "precio", "importo", "prezzo"})
}

// IsAgeName says whether a field has the name of an age in years, and IsBirthYearName that of a year of birth.
func IsAgeName(name string) bool { return isAbout(name, []string{"age", "alter", "âge", "edad"}) }

// IsBirthYearName says whether a field has the name of a year of birth.
func IsBirthYearName(name string) bool {
	words := wordsOf(lastPart(name))
	return slices.Contains([]string{"birthyear", "yearofbirth", "yob", "geburtsjahr", "annéedenaissance", "añodenacimiento"}, strings.Join(words, ""))
}

// IsTimeName says whether a field has the name of a time.
func IsTimeName(name string) bool {
	return namesTime(name) || anyOf(name, []string{"dates", "dt", "day", "since", "opened", "closed", "applied", "started", "ended", "datum", "seit", "eröffnet", "fecha", "dob", "birthdate", "birthday"})
}

// IsPeriodName says whether a field has the name of a period that is counted, such as year or week.
func IsPeriodName(name string) bool {
	return isAbout(name, []string{"year", "month", "week", "day", "hour", "quarter", "period", "season", "cohort", "batch", "jahr", "monat", "woche", "tag", "année", "mois", "año", "mes"})
}

// NamesPerson says whether a field has the name of an identifier of a person or a household.
func NamesPerson(name string) bool {
	words := wordsOf(lastPart(name))
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains([]string{"customer", "person", "patient", "client", "applicant", "user", "member", "household", "employee", "candidate", "borrower", "student", "defendant",
			"kunde", "kunden", "patienten", "person", "haushalt", "cliente", "paciente"}, word)
	}) && (namesIdentifier(name) || len(words) == 1)
}

// IdentifiesPerson says whether a field has the name of the number of a person or a household, such as candidate_no, and not only of what is counted by them.
func IdentifiesPerson(name string) bool { return NamesPerson(name) && namesIdentifier(name) }

// IsCodeName says whether a field has the name of a code whose numbers are no amounts.
func IsCodeName(name string) bool {
	return anyOf(name, []string{"zip", "zipcode", "postcode", "postal", "postalcode", "plz", "postleitzahl", "code", "recode", "naics", "sic", "fips", "codigo", "código"})
}

// noAnswer are words of texts that say that a value is not known; those of negations do so beside others only.
var (
	noAnswer  = strings.Fields("unknown unk missing undisclosed unspecified undefined unavailable unreported unanswered refused declined invalid error blank empty null nil none nan void tbd unbekannt fehlt angabe leer inconnu inconnue manquant desconocido desconocida sconosciuto brak nieznany onbekend okänt nd")
	negations = strings.Fields("not no non without n kein keine nicht ohne pas sans sin senza sem nie geen inte")
)

// SaysUnknown says whether a text looks like one that says that a value is not known, such as "not in universe" or "(missing)".
func SaysUnknown(text string) bool {
	words := wordsOf(text)
	return IsUnknownWord(text) || slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains(noAnswer, word) || len(words) > 1 && slices.Contains(negations, word)
	})
}
