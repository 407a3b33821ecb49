recorder where sample; recorder where --csv sample
