/* Reads numbers: takes off sign and unit, copies digits without their separators and with a decimal
 * point, and reads that as a plain number, so that all of them are rounded alike. */
#include "data/encode/number_read.h"

#include <math.h>

#include "base/text/text.h"

/* Signs, codes (ISO 4217) and short names of currencies, in any case; sorted by the first byte. */
static const char CURRENCIES[][8] = {
    "$",   "A$",  "AUD", "AED", "ARS", "BGN",  "BRL", "BDT", "BTC", "C$",  "CHF", "CNY", "CAD", "CZK", "CLP",
    "COP", "DKK", "EUR", "EGP", "ETH", "Euro", "Ft",  "Fr.", "GBP", "GEL", "HK$", "HUF", "HKD", "INR", "ISK",
    "ILS", "IDR", "JPY", "kr",  "kr.", "Kč",   "KES", "KRW", "KZT", "LKR", "MAD", "MXN", "MYR", "NZ$", "NZD",
    "NOK", "NGN", "PLN", "PEN", "PHP", "PKR",  "QAR", "R$",  "Rs",  "Rs.", "RMB", "RON", "RUB", "RSD", "S$",
    "SEK", "SAR", "SGD", "TRY", "TWD", "THB",  "US$", "USD", "UAH", "VND", "zł",  "ZAR", "£",   "¥",   "¢",
    "฿",   "€",   "₹",   "₽", "₩",   "₺",    "₴",   "₪",   "₫",   "₱",   "₦",   "₿",
};

enum { CURRENCY_COUNT = sizeof CURRENCIES / sizeof *CURRENCIES };

/* A number without separators; longer ones are not numbers. */
typedef struct plain_number {
    char bytes[128];
    size_t length;
    bool too_long;
} plain_number;

static void add(plain_number *self, char byte) {
    self->too_long = self->too_long || self->length == sizeof self->bytes;
    if (!self->too_long) {
        self->bytes[self->length++] = byte;
    }
}

/* Takes the longest currency that comes next; returns whether there is one. */
static bool take_currency(cell_text *text) {
    const cell_text start = *text;
    const unsigned char first = start.at < start.end ? (unsigned char)text_lower(*start.at) : 0;
    size_t i = 0;
    while (i < CURRENCY_COUNT && (unsigned char)text_lower(*CURRENCIES[i]) < first) {
        i++;
    }
    for (; i < CURRENCY_COUNT && (unsigned char)text_lower(*CURRENCIES[i]) == first; i++) {
        cell_text tried = start;
        if (text_take_word(&tried, CURRENCIES[i]) && tried.at > text->at) {
            *text = tried;
        }
    }
    return text->at > start.at;
}

/* Takes a sign; returns whether there is one. */
static bool take_sign(cell_text *text, bool *negative) {
    *negative = text_take_word(text, "-") || text_take_word(text, "\xe2\x88\x92");
    return *negative || text_take_word(text, "+");
}

static size_t take_digits(cell_text *text, plain_number *out) {
    size_t count = 0;
    for (; text_is_digit(text); count++) {
        add(out, *text->at++);
    }
    return count;
}

/* Takes a separator between thousands that stands before a digit. */
static bool take_separator(cell_text *text, char separator) {
    cell_text tried = *text;
    bool found;
    if (separator == ' ') {
        const size_t size = text_blank(tried.at, tried.end);
        tried.at += size;
        found = size > 0;
    } else if (separator == '\'') {
        found = text_take_word(&tried, "'") || text_take_word(&tried, "\xe2\x80\x99");
    } else {
        found = tried.at < tried.end && *tried.at++ == separator;
    }
    if (!found || !text_is_digit(&tried)) {
        return false;
    }
    *text = tried;
    return true;
}

/* Takes the digits before the decimal separator; returns whether their groups are sound. */
static bool take_whole(cell_text *text, char separator, plain_number *out) {
    const char *start = text->at;
    const size_t first = take_digits(text, out);
    size_t last = 0, between = 0; /* sizes of the last group and of those before it */
    bool sound = first >= 1 && first <= 3 && *start != '0';
    if (separator == '\0' || !take_separator(text, separator)) {
        return true;
    }
    do {
        sound = sound && (between == 0 || between == last);
        between = last;
        last = take_digits(text, out);
    } while (take_separator(text, separator));
    const bool indian = between == 2 && separator == ',' && first <= 2;
    return sound && last == 3 && (between == 0 || between == 3 || indian);
}

static void take_fraction(cell_text *text, char decimal, plain_number *out) {
    if (text->at < text->end && *text->at == decimal) {
        text->at++;
        add(out, '.');
        (void)take_digits(text, out);
    }
}

static void take_exponent(cell_text *text, plain_number *out) {
    cell_text tried = *text;
    if (text_take(&tried, "eE") == '\0') {
        return;
    }
    const char sign = text_take(&tried, "+-");
    if (text_is_digit(&tried)) {
        *text = tried;
        add(out, 'e');
        add(out, sign == '-' ? '-' : '+');
        (void)take_digits(text, out);
    }
}

/* Takes a sign, and with units a currency behind or before it. */
static void take_front(cell_text *text, bool units, bool *negative) {
    const bool sign = take_sign(text, negative);
    if (units) {
        (void)text_take_blanks(text);
        if (!text_is_digit(text) && take_currency(text)) {
            (void)text_take_blanks(text);
            (void)(sign || take_sign(text, negative));
            (void)text_take_blanks(text);
        }
    }
}

/* Takes what may stand behind the digits of a number with a unit, first a - where there is a
 * decimal sign (5.-); returns whether that is all. */
static bool ends_with_unit(cell_text text, bool decimal) {
    if (decimal) {
        (void)text_take(&text, "-");
    }
    (void)text_take_blanks(&text);
    if (text_take(&text, "%") == '\0') {
        (void)take_currency(&text);
    }
    return text.at == text.end;
}

bool number_core_find(number_core *out, cell_text text, bool units) {
    take_front(&text, units, &out->negative);
    if (text.at == text.end || !(text_is_digit(&text) || *text.at == '.' || *text.at == ',')) {
        return false;
    }
    const char *last = text.end; /* behind the last digit */
    while (last > text.at && !(last[-1] >= '0' && last[-1] <= '9')) {
        last--;
    }
    const bool decimal = last < text.end && (*last == '.' || *last == ',');
    last += decimal;
    out->digits = (cell_text){text.at, last};
    return units ? ends_with_unit((cell_text){last, text.end}, decimal) : last == text.end;
}

bool number_core_read(const number_core *self, const cell_format *format, double *value) {
    plain_number number = {.length = 0};
    cell_text text = self->digits;
    if (self->negative) {
        add(&number, '-');
    }
    if (!take_whole(&text, format->thousands, &number)) {
        return false;
    }
    take_fraction(&text, format->decimal == ',' ? ',' : '.', &number);
    take_exponent(&text, &number);
    return text.at == text.end && !number.too_long && text_is_double(number.bytes, number.bytes + number.length, value);
}

bool number_read(const cell_format *format, cell_text text, double *value) {
    number_core core;
    const bool plain = text_is_double(text.at, text.end, value);
    if (plain && (isinf(*value) || format->decimal != ',')) {
        return !isnan(*value);
    }
    return number_core_find(&core, text, format->units) && number_core_read(&core, format, value);
}
