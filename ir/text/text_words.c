#include "ir/text/text_t.h"

const tn_flag_word tn_flag_words[] = {
    {TN_VF_DEFAULT, "default"},
    {TN_VF_PINNED, "pinned"},
    {TN_VF_EXCLUDED, "excluded"},
    {TN_VF_LOSS, "loss"},
    {TN_VF_PARAM, "param"},
    {TN_VF_STATE, "state"},
    {TN_VF_BACKWARD, "backward"},
    {TN_VF_PARAM_GRAD, "param_grad"},
    {TN_VF_DONATED, "donated"},
    {TN_VF_ARENA, "arena"},
    {TN_VF_APART, "apart"},
    {TN_VF_WORKSPACE, "workspace"},
    {TN_VF_CHANNELS_LAST, "channels-last"},
    {TN_VF_DOUBLE, "double"},
    {0, NULL},
};

bool tn_word_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool tn_word_char(char c) {
    return tn_word_start(c) || (c >= '0' && c <= '9') || c == '.';
}

bool tn_name_char(char c) {
    return tn_word_char(c) || c == '/' || c == '$' || c == '-';
}
